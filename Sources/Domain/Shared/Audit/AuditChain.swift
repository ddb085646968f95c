private import Cryptography

/// The hash chain of an audit trail: each row has a hash over the previous link, the digest of its own particulars, and
/// its metadata.
///
/// Only the digest of the particulars is hashed into the chain, so that they can be erased without breaking it.
public enum AuditChain {
    /// The link before the first row.
    public static let origin = [UInt8](repeating: 0, count: 32)

    /// Appends the values of a part of a row in the order in which they are hashed.
    public typealias Part = (inout HashedValues) -> Void

    /// Returns the digest of some particulars.
    public static func digest(_ particulars: Part) -> [UInt8] {
        var values = HashedValues()
        particulars(&values)
        return values.digest
    }

    /// Returns the next link.
    public static func link(after previous: [UInt8], digest: [UInt8], _ metadata: Part) -> [UInt8] {
        var values = HashedValues(after: previous, digest)
        metadata(&values)
        return values.digest
    }

    /// Returns the seal of a row after a link; `previous` is `nil` for the first row.
    public static func seal(_ particulars: Part, _ metadata: Part, after previous: [UInt8]?) -> ChainSeal {
        let digest = digest(particulars)
        return ChainSeal(digest: digest, link: link(after: previous ?? origin, digest: digest, metadata))
    }
}

/// What links a row of a trail to the previous one.
public struct ChainSeal: Sendable, Equatable {
    /// The digest of the row's particulars.
    public let digest: [UInt8]
    /// The link of the row, which the next row continues.
    public let link: [UInt8]
}

/// A hash over a list of values, encoded so that different lists never give the same bytes.
public struct HashedValues: Sendable {
    private var hash = SHA256()

    /// Creates a hash without values.
    fileprivate init() {}

    /// Creates a hash over a link and a digest, without values.
    fileprivate init(after previous: [UInt8], _ digest: [UInt8]) {
        hash.update(previous)
        hash.update(digest)
    }

    /// The digest of all values.
    fileprivate var digest: [UInt8] { hash.finalize() }

    /// Appends bytes; `nil` differs from empty.
    public mutating func append(_ value: [UInt8]?) {
        guard let value else { return append(mark: .nothing) }
        append(mark: .bytes, UInt64(value.count))
        value.withUnsafeBufferPointer { hash.update(buffer: $0) }
    }

    /// Appends text; `nil` differs from empty.
    public mutating func append(_ value: String?) {
        guard var value else { return append(mark: .nothing) }
        append(mark: .bytes, UInt64(value.utf8.count))
        value.withUTF8 { hash.update(buffer: $0) }
    }

    /// Appends a number; `nil` differs from every number.
    public mutating func append(_ value: Int?) {
        guard let value else { return append(mark: .nothing) }
        append(mark: .number, UInt64(bitPattern: Int64(value)))
    }

    /// The tag that precedes each value.
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
