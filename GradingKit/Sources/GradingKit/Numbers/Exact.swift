/// A rational number, always exact and always in lowest terms.
///
/// Grades are ratios of small decimals, so nearly every value fits two 128-bit integers; what does not
/// continues on limbs of any size without the caller noticing. Nothing here rounds: see `Rounding`.
public struct Exact: Sendable, Hashable {
    /// The two ways in which a value is kept.
    enum Form {
        case small(Int128, over: Int128)
        case wide(Wide)
    }

    // Canonical: lowest terms, positive denominator, and `wide` only when the two integers cannot hold the value; they
    // are 0 over 1 then. Stored side by side and not as an enumeration, whose every copy would be a call.
    private let numerator: Int128
    private let denominator: Int128
    private let wide: Wide?

    /// How the value is kept.
    @inline(__always)
    var form: Form {
        if let wide { .wide(wide) } else { .small(numerator, over: denominator) }
    }

    /// For results that are known to be in lowest terms over a positive denominator.
    init(canonicalSmall numerator: Int128, over denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
        wide = nil
    }

    private init(canonicalWide value: Wide) {
        numerator = 0
        denominator = 1
        wide = value
    }

    /// Zero.
    public static let zero = Exact(0)
    /// One.
    public static let one = Exact(1)
    /// One half.
    public static let half = Exact(canonicalSmall: 1, over: 2)

    /// A whole number.
    public init(_ value: Int) { self.init(canonicalSmall: Int128(value), over: 1) }

    /// A ratio in any terms; `nil` when the denominator is zero.
    public init?(_ numerator: Int, over denominator: Int) {
        guard denominator != 0 else { return nil }
        let sign: Int128 = denominator < 0 ? -1 : 1
        self.init(reducing: Int128(numerator) * sign, over: Int128(denominator) * sign)
    }

    /// Reduces; the denominator is positive.
    init(reducing numerator: Int128, over denominator: Int128) {
        let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let top = divisor == 1 ? numerator : Self.quotient(numerator, dividing: divisor)
        let bottom = divisor == 1 ? denominator : Self.quotient(denominator, dividing: divisor)
        if top == .min {
            // Small values can be negated, so the one that cannot is a wide one.
            self.init(
                canonicalWide: Wide(isNegative: true, Magnitude(top.magnitude), over: Magnitude(bottom.magnitude)))
        } else {
            self.init(canonicalSmall: top, over: bottom)
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
            self.init(canonicalSmall: isNegative ? -small : small, over: over)
        } else {
            self.init(canonicalWide: Wide(isNegative: isNegative, top, over: bottom))
        }
    }

    /// Sign, numerator and denominator as limbs.
    var limbs: (isNegative: Bool, numerator: Magnitude, denominator: Magnitude) {
        switch form {
        case .small(let numerator, let denominator):
            (numerator < 0, Magnitude(numerator.magnitude), Magnitude(denominator.magnitude))
        case .wide(let wide): (wide.isNegative, wide.numerator, wide.denominator)
        }
    }

    /// Whether the value is below zero.
    public var isNegative: Bool {
        switch form {
        case .small(let numerator, _): numerator < 0
        case .wide(let wide): wide.isNegative
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
        case .wide(let wide): wide.denominator.isOne
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
        case .wide(let wide): max(wide.numerator.bitWidth, wide.denominator.bitWidth)
        }
    }
}

extension Exact: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }
}

/// A value that two 128-bit integers cannot hold: its own object, so that the common small one is cheap to copy.
final class Wide: Sendable, Hashable {
    let isNegative: Bool
    let numerator: Magnitude
    let denominator: Magnitude

    init(isNegative: Bool, _ numerator: Magnitude, over denominator: Magnitude) {
        self.isNegative = isNegative
        self.numerator = numerator
        self.denominator = denominator
    }

    static func == (left: Wide, right: Wide) -> Bool {
        left.isNegative == right.isNegative && left.numerator == right.numerator
            && left.denominator == right.denominator
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(isNegative)
        hasher.combine(numerator)
        hasher.combine(denominator)
    }
}
