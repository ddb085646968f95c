extension Exact: Comparable {
    /// Returns the exact sum.
    public static func + (left: Exact, right: Exact) -> Exact {
        guard case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) else {
            return wideSum(left, right)
        }
        // All words can be negated, so products are below 2¹²⁶, and the sum of two fits a double word.
        if b == d { return Exact(ratio: Int128(a) &+ Int128(c), over: Int128(b)) }
        return Exact(ratio: doubled(a, d) &+ doubled(c, b), over: doubled(b, d))
    }

    /// Returns the exact difference.
    public static func - (left: Exact, right: Exact) -> Exact { left + -right }

    /// Returns the value with the opposite sign.
    public static prefix func - (value: Exact) -> Exact {
        switch value.form {
        case .small(let numerator, let denominator): Exact(small: -numerator, over: denominator)
        case .wide(let wide): Exact(isNegative: !wide.isNegative, wide.numerator, over: wide.denominator)
        }
    }

    /// Returns the exact product.
    public static func * (left: Exact, right: Exact) -> Exact {
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) {
            return Exact(ratio: doubled(a, c), over: doubled(b, d))
        }
        return wideProduct(left, right)
    }

    /// Returns the exact quotient; `nil` when the divisor is zero.
    public static func / (left: Exact, right: Exact) -> Exact? {
        guard let reciprocal = right.reciprocal else { return nil }
        return left * reciprocal
    }

    /// Adds in place.
    public static func += (left: inout Exact, right: Exact) { left = left + right }

    /// Subtracts in place.
    public static func -= (left: inout Exact, right: Exact) { left = left - right }

    /// Multiplies in place.
    public static func *= (left: inout Exact, right: Exact) { left = left * right }

    /// One divided by the value; `nil` for zero.
    public var reciprocal: Exact? {
        switch form {
        case .small(0, _): nil
        case .small(let numerator, let denominator):
            numerator > 0 ? Exact(small: denominator, over: numerator) : Exact(small: -denominator, over: -numerator)
        case .wide(let wide): Exact(isNegative: wide.isNegative, wide.denominator, over: wide.numerator)
        }
    }

    /// Compares two rational numbers.
    public static func < (left: Exact, right: Exact) -> Bool {
        guard case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) else {
            return (left - right).isNegative
        }
        return b == d ? a < c : doubled(a, d) < doubled(c, b)
    }

    /// The absolute value.
    public var magnitude: Exact { isNegative ? -self : self }

    // The operands are in lowest terms, so common factors of a sum or product can only come from the given denominators
    // (Knuth, The Art of Computer Programming 2, 4.5.1). Adding a grade to a long sum therefore needs no greatest
    // common divisor of two long numbers, and the cost of a sum of many grades is linear in its length, not cubic.

    private static func wideSum(_ left: Exact, _ right: Exact) -> Exact {
        let (leftNegative, a, b) = left.reduced.limbs
        let (rightNegative, c, d) = right.reduced.limbs
        let common = Magnitude.greatestCommonDivisor(b, d)
        let (first, second) = (a * d.divided(exactlyBy: common), c * b.divided(exactlyBy: common))
        let (total, isSwapped) =
            leftNegative == rightNegative ? (first + second, false) : Magnitude.difference(first, second)
        let divisor = Magnitude.greatestCommonDivisor(total, common)
        return Exact(
            isNegative: !total.isZero && isSwapped != leftNegative, lowest: total.divided(exactlyBy: divisor),
            over: b.divided(exactlyBy: common) * d.divided(exactlyBy: divisor))
    }

    private static func wideProduct(_ left: Exact, _ right: Exact) -> Exact {
        let (leftNegative, a, b) = left.reduced.limbs
        let (rightNegative, c, d) = right.reduced.limbs
        let (first, second) = (Magnitude.greatestCommonDivisor(a, d), Magnitude.greatestCommonDivisor(c, b))
        let numerator = a.divided(exactlyBy: first) * c.divided(exactlyBy: second)
        return Exact(
            isNegative: leftNegative != rightNegative && !numerator.isZero, lowest: numerator,
            over: b.divided(exactlyBy: second) * d.divided(exactlyBy: first))
    }
}

/// Integer arithmetic of `Exact`.
extension Exact {
    /// Returns the product of two words, which always fits a double word.
    @inline(__always)
    private static func doubled(_ left: Int64, _ right: Int64) -> Int128 { Int128(left) &* Int128(right) }

    /// Returns the greatest common divisor. Divides until both numbers fit a word, then uses the algorithm for words.
    /// `gcd(0, n)` is `n`.
    static func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
        var (left, right) = (left, right)
        while left >> 64 != 0 || right >> 64 != 0 {
            if right == 0 { return left }
            (left, right) = (right, left % right)
        }
        return UInt128(greatestCommonDivisor(UInt64(truncatingIfNeeded: left), UInt64(truncatingIfNeeded: right)))
    }

    /// Returns the greatest common divisor of two words. Divides once, then uses the binary algorithm, which has no
    /// unpredictable branches.
    static func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
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
