import Records

/// Links the lines of a trail: each carries a hash over the one before, its own particulars' digest and its metadata.
///
/// The particulars themselves go in by their digest only. They can be erased and the chain still holds.
struct AuditChain: Sendable {
    /// SHA-256.
    let hash: SQLiteStore.Digest

    /// What stands before the first link.
    static let origin = [UInt8](repeating: 0, count: 32)

    /// The digest of some particulars.
    func digest(_ particulars: HashedText) -> [UInt8] { hash(particulars.bytes) }

    /// The next link.
    func link(after previous: [UInt8], digest: [UInt8], _ metadata: HashedText) -> [UInt8] {
        hash(previous + digest + metadata.bytes)
    }
}

/// Values written one after the other so that no two lists of values give the same bytes.
struct HashedText {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: [UInt8]?) {
        guard let value else { return bytes.append(0) }
        bytes.append(1)
        append(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func append(_ value: String?) { append(value.map { Array($0.utf8) }) }

    mutating func append(_ value: Int?) {
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
