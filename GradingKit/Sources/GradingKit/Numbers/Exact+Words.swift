/// Integer arithmetic of `Exact`: on 128 bits, and several times faster where 64 do, which is nearly always.
extension Exact {
    /// The product; `nil` when 128 bits do not hold it.
    static func product(_ left: Int128, _ right: Int128) -> Int128? {
        if let left = Int64(exactly: left), let right = Int64(exactly: right) {
            // Two words always fit a double word.
            return Int128(left) &* Int128(right)
        }
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? nil : product
    }

    /// A quotient by a divisor that is known to divide and is not 0.
    static func quotient(_ dividend: Int128, dividing divisor: UInt128) -> Int128 {
        if let dividend = Int64(exactly: dividend), let divisor = Int64(exactly: divisor) {
            return Int128(dividend / divisor)
        }
        // Only −2¹²⁷ has a divisor that is no Int128: itself.
        guard let divisor = Int128(exactly: divisor) else { return -1 }
        return dividend / divisor
    }

    /// Division steps until both fit a word, then the binary algorithm. `gcd(0, n)` is `n`.
    static func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
        var (left, right) = (left, right)
        while left >> 64 != 0 || right >> 64 != 0 {
            if right == 0 { return left }
            (left, right) = (right, left % right)
        }
        return UInt128(wordDivisor(UInt64(truncatingIfNeeded: left), UInt64(truncatingIfNeeded: right)))
    }

    /// One division brings both to the size of the smaller; then the binary algorithm, without a branch to mispredict.
    private static func wordDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let smaller = min(first, second)
        guard smaller > 1 else { return smaller == 1 ? 1 : max(first, second) }
        var right = max(first, second) % smaller
        guard right != 0 else { return smaller }
        let shift = (smaller | right).trailingZeroBitCount
        var left = smaller >> smaller.trailingZeroBitCount
        repeat {
            right >>= right.trailingZeroBitCount
            (left, right) = (min(left, right), max(left, right) - min(left, right))
        } while right != 0
        return left << shift
    }
}
