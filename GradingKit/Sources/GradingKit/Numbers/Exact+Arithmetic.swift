extension Exact: Comparable {
    /// The sum, exact.
    public static func + (left: Exact, right: Exact) -> Exact {
        guard case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) else {
            return wideSum(left, right)
        }
        // Words that can be negated have products below 2¹²⁶: two of them fit a double word.
        if b == d { return Exact(ratio: Int128(a) &+ Int128(c), over: Int128(b)) }
        return Exact(ratio: doubled(a, d) &+ doubled(c, b), over: doubled(b, d))
    }

    /// The difference, exact.
    public static func - (left: Exact, right: Exact) -> Exact { left + -right }

    /// The value with the other sign.
    public static prefix func - (value: Exact) -> Exact {
        switch value.form {
        case .small(let numerator, let denominator): Exact(small: -numerator, over: denominator)
        case .wide(let wide): Exact(isNegative: !wide.isNegative, wide.numerator, over: wide.denominator)
        }
    }

    /// The product, exact.
    public static func * (left: Exact, right: Exact) -> Exact {
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) {
            return Exact(ratio: doubled(a, c), over: doubled(b, d))
        }
        return wideProduct(left, right)
    }

    /// The quotient, exact; `nil` when the divisor is zero.
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

    /// One over the value; `nil` for zero.
    public var reciprocal: Exact? {
        switch form {
        case .small(0, _): nil
        case .small(let numerator, let denominator):
            numerator > 0 ? Exact(small: denominator, over: numerator) : Exact(small: -denominator, over: -numerator)
        case .wide(let wide): Exact(isNegative: wide.isNegative, wide.denominator, over: wide.numerator)
        }
    }

    /// The order of the rational numbers.
    public static func < (left: Exact, right: Exact) -> Bool {
        guard case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) else {
            return (left - right).isNegative
        }
        return b == d ? a < c : doubled(a, d) < doubled(c, b)
    }

    /// The distance from zero.
    public var magnitude: Exact { isNegative ? -self : self }

    // In lowest terms, what a sum or a product has to be divided by comes from the given denominators (Knuth, The Art of
    // Computer Programming 2, 4.5.1). So adding a grade to a long sum takes no greatest common divisor of two long
    // numbers, and a sum of many grades costs what its length costs, not the cube of it.

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
    /// The product of two words, which a double word always holds.
    @inline(__always)
    private static func doubled(_ left: Int64, _ right: Int64) -> Int128 { Int128(left) &* Int128(right) }

    /// Division steps until both fit a word, then the binary algorithm. `gcd(0, n)` is `n`.
    static func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
        var (left, right) = (left, right)
        while left >> 64 != 0 || right >> 64 != 0 {
            if right == 0 { return left }
            (left, right) = (right, left % right)
        }
        return UInt128(greatestCommonDivisor(UInt64(truncatingIfNeeded: left), UInt64(truncatingIfNeeded: right)))
    }

    /// One division brings both to the size of the smaller; then the binary algorithm, without a branch to mispredict.
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
