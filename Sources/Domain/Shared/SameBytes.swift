private import Glibc

extension [UInt8] {
    /// Whether both hold the same bytes, compared in blocks: documents are compared at every change.
    public func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { its in
                // Both hold `count` bytes; an empty array may have no address.
                guard let mine = mine.baseAddress, let its = its.baseAddress else { return true }
                return memcmp(mine, its, count) == 0
            }
        }
    }
}
