private import Glibc

extension [UInt8] {
    /// Returns whether both arrays hold the same bytes. Compares with `memcmp`, since every change compares documents.
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
