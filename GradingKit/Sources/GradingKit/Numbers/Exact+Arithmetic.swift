extension Exact: Comparable {
    /// The sum, exact.
    public static func + (left: Exact, right: Exact) -> Exact {
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form),
            let sum = smallSum(a, b, c, d)
        {
            return sum
        }
        return wideSum(left, right)
    }

    /// The difference, exact.
    public static func - (left: Exact, right: Exact) -> Exact { left + -right }

    /// The value with the other sign.
    public static prefix func - (value: Exact) -> Exact {
        if case .small(let numerator, let denominator) = value.form, numerator != .min {
            return Exact(canonicalSmall: -numerator, over: denominator)
        }
        let (isNegative, numerator, denominator) = value.limbs
        return Exact(isNegative: !isNegative && !numerator.isZero, numerator, over: denominator)
    }

    /// The product, exact.
    public static func * (left: Exact, right: Exact) -> Exact {
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form),
            let product = smallProduct(a, b, c, d)
        {
            return product
        }
        let (leftNegative, a, b) = left.limbs
        let (rightNegative, c, d) = right.limbs
        return Exact(isNegative: leftNegative != rightNegative && !a.isZero && !c.isZero, a * c, over: b * d)
    }

    /// The quotient, exact; `nil` when the divisor is zero.
    public func divided(by divisor: Exact) -> Exact? {
        guard let reciprocal = divisor.reciprocal else { return nil }
        return self * reciprocal
    }

    /// One over the value; `nil` for zero.
    public var reciprocal: Exact? {
        switch form {
        case .small(0, _): return nil
        case .small(let numerator, let denominator) where numerator > 0:
            return Exact(canonicalSmall: denominator, over: numerator)
        case .small, .wide:
            let (isNegative, numerator, denominator) = limbs
            return Exact(isNegative: isNegative, denominator, over: numerator)
        }
    }

    /// The order of the rational numbers.
    public static func < (left: Exact, right: Exact) -> Bool {
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) {
            if b == d { return a < c }
            if let ad = product(a, d), let cb = product(c, b) { return ad < cb }
        }
        return (left - right).isNegative
    }

    /// The distance from zero.
    public var magnitude: Exact { isNegative ? -self : self }

    private static func smallSum(_ a: Int128, _ b: Int128, _ c: Int128, _ d: Int128) -> Exact? {
        if b == d {
            let (sum, overflow) = a.addingReportingOverflow(c)
            if overflow || sum == .min { return nil }
            return b == 1 ? Exact(canonicalSmall: sum, over: 1) : Exact(reducing: sum, over: b)
        }
        let divisor = greatestCommonDivisor(b.magnitude, d.magnitude)
        let (raise, raiseOther) = (quotient(d, dividing: divisor), quotient(b, dividing: divisor))
        guard let first = product(a, raise), let second = product(c, raiseOther),
            let denominator = product(raiseOther, d)
        else { return nil }
        let (numerator, overflow) = first.addingReportingOverflow(second)
        if overflow || numerator == .min { return nil }
        // Coprime denominators (Knuth 4.5.1): the sum is in lowest terms already.
        return divisor == 1
            ? Exact(canonicalSmall: numerator, over: denominator) : Exact(reducing: numerator, over: denominator)
    }

    private static func wideSum(_ left: Exact, _ right: Exact) -> Exact {
        let (leftNegative, a, b) = left.limbs
        let (rightNegative, c, d) = right.limbs
        let (first, second) = (a * d, c * b)
        if leftNegative == rightNegative { return Exact(isNegative: leftNegative, first + second, over: b * d) }
        let (difference, isNegative) = Magnitude.difference(first, second)
        return Exact(isNegative: !difference.isZero && isNegative != leftNegative, difference, over: b * d)
    }

    private static func smallProduct(_ a: Int128, _ b: Int128, _ c: Int128, _ d: Int128) -> Exact? {
        let first = d == 1 ? 1 : greatestCommonDivisor(a.magnitude, d.magnitude)
        let second = b == 1 ? 1 : greatestCommonDivisor(c.magnitude, b.magnitude)
        guard let numerator = product(quotient(a, dividing: first), quotient(c, dividing: second)),
            let denominator = product(quotient(b, dividing: second), quotient(d, dividing: first)), numerator != .min
        else { return nil }
        return numerator == 0 ? .zero : Exact(canonicalSmall: numerator, over: denominator)
    }
}
