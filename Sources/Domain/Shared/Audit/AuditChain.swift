private import Cryptography

/// Links the lines of a trail: each carries a hash over the one before, the digest of its own particulars, and its
/// metadata.
///
/// The particulars themselves go in by their digest only. They can be erased and the chain still holds.
public enum AuditChain {
    /// What stands before the first link.
    public static let origin = [UInt8](repeating: 0, count: 32)

    /// The digest of some particulars.
    public static func digest(_ particulars: HashedText) -> [UInt8] { SHA256.hash(particulars.bytes) }

    /// The next link.
    public static func link(after previous: [UInt8], digest: [UInt8], _ metadata: HashedText) -> [UInt8] {
        var hash = SHA256()
        hash.update(previous)
        hash.update(digest)
        hash.update(metadata.bytes)
        return hash.finalize()
    }

    /// What ties a line to the one before it; `nil` before the first.
    public static func seal(
        _ particulars: HashedText, _ metadata: HashedText, after previous: [UInt8]?
    ) -> ChainSeal {
        let digest = digest(particulars)
        return ChainSeal(digest: digest, link: link(after: previous ?? origin, digest: digest, metadata))
    }
}

/// What ties a line of a trail to the one before it.
public struct ChainSeal: Sendable, Equatable {
    /// The digest of the line's particulars.
    public let digest: [UInt8]
    /// The link, to which the next line is tied.
    public let link: [UInt8]
}

/// Values written one after the other so that no two lists of values give the same bytes.
public struct HashedText: Sendable {
    private(set) var bytes: [UInt8] = []

    /// No values yet.
    ///
    /// - Parameter capacity: about how many bytes there will be.
    public init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// Adds bytes; `nil` differs from none.
    public mutating func append(_ value: [UInt8]?) { append(bytesOf: value) }

    /// Adds text; `nil` differs from none.
    public mutating func append(_ value: String?) { append(bytesOf: value?.utf8) }

    private mutating func append(bytesOf value: (some Collection<UInt8>)?) {
        guard let value else { return bytes.append(0) }
        bytes.append(1)
        append(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Adds a number.
    public mutating func append(_ value: Int?) {
        guard let value else { return bytes.append(0) }
        bytes.append(2)
        append(UInt64(bitPattern: Int64(value)))
    }

    private mutating func append(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}
