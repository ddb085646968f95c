/// A rational number, always exact and always in lowest terms.
///
/// Grades are ratios of small decimals, so nearly every value fits two 128-bit integers; what does not
/// continues on limbs of any size without the caller noticing. Nothing here rounds: see `Rounding`.
public struct Exact: Sendable, Hashable {
    /// Canonical: lowest terms, positive denominator, and `wide` only when `small` cannot hold the value.
    enum Form: Sendable, Hashable {
        case small(Int128, over: Int128)
        case wide(isNegative: Bool, Magnitude, over: Magnitude)
    }

    let form: Form

    /// For results that are known to be in lowest terms over a positive denominator.
    init(canonicalSmall numerator: Int128, over denominator: Int128) { form = .small(numerator, over: denominator) }

    /// Zero.
    public static let zero = Exact(0)
    /// One.
    public static let one = Exact(1)
    /// One half.
    public static let half = Exact(canonicalSmall: 1, over: 2)

    /// A whole number.
    public init(_ value: Int) { form = .small(Int128(value), over: 1) }

    /// A ratio in any terms; `nil` when the denominator is zero.
    public init?(_ numerator: Int, over denominator: Int) {
        guard denominator != 0 else { return nil }
        let sign: Int128 = denominator < 0 ? -1 : 1
        self.init(reducing: Int128(numerator) * sign, over: Int128(denominator) * sign)
    }

    /// Reduces; the denominator is positive.
    init(reducing numerator: Int128, over denominator: Int128) {
        let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        if divisor == 1 {
            form = .small(numerator, over: denominator)
        } else {
            form = .small(
                Self.quotient(numerator, dividing: divisor), over: Self.quotient(denominator, dividing: divisor))
        }
    }

    /// Reduces limbs, and leaves them when the value fits.
    init(isNegative: Bool, _ numerator: Magnitude, over denominator: Magnitude) {
        let divisor = Magnitude.greatestCommonDivisor(numerator, denominator)
        var (top, bottom) = (numerator, denominator)
        if !divisor.isOne, let reducedTop = top.dividing(by: divisor), let reducedBottom = bottom.dividing(by: divisor)
        {
            (top, bottom) = (reducedTop.quotient, reducedBottom.quotient)
        }
        if let small = top.int128, let over = bottom.int128 {
            form = .small(isNegative ? -small : small, over: over)
        } else {
            form = .wide(isNegative: isNegative, top, over: bottom)
        }
    }

    /// Sign, numerator and denominator as limbs.
    var limbs: (isNegative: Bool, numerator: Magnitude, denominator: Magnitude) {
        switch form {
        case .small(let numerator, let denominator):
            (numerator < 0, Magnitude(numerator.magnitude), Magnitude(denominator.magnitude))
        case .wide(let isNegative, let numerator, let denominator):
            (isNegative, numerator, denominator)
        }
    }

    /// Whether the value is below zero.
    public var isNegative: Bool {
        switch form {
        case .small(let numerator, _): numerator < 0
        case .wide(let isNegative, _, _): isNegative
        }
    }

    /// Whether the value is zero.
    public var isZero: Bool {
        if case .small(0, _) = form { true } else { false }
    }

    /// Whether the value has no fraction.
    public var isWhole: Bool {
        switch form {
        case .small(_, let denominator): denominator == 1
        case .wide(_, _, let denominator): denominator.isOne
        }
    }

    /// The value as a machine integer, if it is whole and fits.
    public var integer: Int? {
        guard case .small(let numerator, 1) = form else { return nil }
        return Int(exactly: numerator)
    }

    /// The greater of the bits of numerator and denominator.
    public var bitWidth: Int {
        switch form {
        case .small(let numerator, let denominator):
            128 - min(numerator.magnitude.leadingZeroBitCount, denominator.magnitude.leadingZeroBitCount)
        case .wide(_, let numerator, let denominator):
            max(numerator.bitWidth, denominator.bitWidth)
        }
    }
}

extension Exact: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }
}
