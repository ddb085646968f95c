private import Cryptography

/// Links the lines of a trail: each carries a hash over the one before, the digest of its own particulars, and its
/// metadata.
///
/// The particulars themselves go in by their digest only. They can be erased and the chain still holds.
public enum AuditChain {
    /// What stands before the first link.
    public static let origin = [UInt8](repeating: 0, count: 32)

    /// Says, in the order in which they are hashed, the values of a part of a line.
    public typealias Part = (inout HashedValues) -> Void

    /// The digest of some particulars.
    public static func digest(_ particulars: Part) -> [UInt8] {
        var values = HashedValues()
        particulars(&values)
        return values.digest
    }

    /// The next link.
    public static func link(after previous: [UInt8], digest: [UInt8], _ metadata: Part) -> [UInt8] {
        var values = HashedValues(after: previous, digest)
        metadata(&values)
        return values.digest
    }

    /// What ties a line to the one before it; `nil` before the first.
    public static func seal(_ particulars: Part, _ metadata: Part, after previous: [UInt8]?) -> ChainSeal {
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

/// Values hashed one after the other so that no two lists of values are hashed as the same bytes.
public struct HashedValues: Sendable {
    private var hash = SHA256()

    /// No values yet.
    fileprivate init() {}

    /// No values yet, behind a link and a digest.
    fileprivate init(after previous: [UInt8], _ digest: [UInt8]) {
        hash.update(previous)
        hash.update(digest)
    }

    /// The digest of all of them.
    fileprivate var digest: [UInt8] { hash.finalize() }

    /// Adds bytes; `nil` differs from none.
    public mutating func append(_ value: [UInt8]?) {
        guard let value else { return append(mark: .nothing) }
        append(mark: .bytes, UInt64(value.count))
        value.withUnsafeBufferPointer { hash.update(buffer: $0) }
    }

    /// Adds text; `nil` differs from none.
    public mutating func append(_ value: String?) {
        guard var value else { return append(mark: .nothing) }
        append(mark: .bytes, UInt64(value.utf8.count))
        value.withUTF8 { hash.update(buffer: $0) }
    }

    /// Adds a number.
    public mutating func append(_ value: Int?) {
        guard let value else { return append(mark: .nothing) }
        append(mark: .number, UInt64(bitPattern: Int64(value)))
    }

    /// What stands before each value.
    private enum Mark: UInt8 {
        case nothing = 0
        case bytes = 1
        case number = 2
    }

    private mutating func append(mark: Mark) {
        withUnsafeBytes(of: mark.rawValue) { hash.update(buffer: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    private mutating func append(mark: Mark, _ number: UInt64) {
        append(mark: mark)
        withUnsafeBytes(of: number.bigEndian) { hash.update(buffer: $0.assumingMemoryBound(to: UInt8.self)) }
    }
}
