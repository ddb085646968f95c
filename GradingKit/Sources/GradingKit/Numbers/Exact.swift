/// A rational number, always exact.
///
/// Grades are ratios of small decimals, so nearly every value fits two machine words; larger values use limbs of any
/// size, which callers do not notice. Nothing here rounds: see `Rounding`.
public struct Exact: Sendable {
    /// The two representations of a value.
    enum Form {
        /// A ratio over a positive denominator, not necessarily in lowest terms: 13.10 may be 1310/100. The numerator
        /// can be negated.
        case small(Int64, over: Int64)
        /// A ratio in lowest terms that does not fit the small form.
        case wide(Wide)
    }

    // Terms are reduced only when words overflow or when they are read: reducing at every step would cost ten times as
    // much. The three are stored side by side because every copy of an enumeration would be a call; a wide value has
    // 0/1 here.
    private let numerator: Int64
    private let denominator: Int64
    private let wide: Wide?

    /// The representation of the value.
    @inline(__always)
    var form: Form {
        if let wide { .wide(wide) } else { .small(numerator, over: denominator) }
    }

    /// Creates a ratio in any terms; the denominator must be positive, and the numerator not the minimum, which has no
    /// negation.
    @inline(__always)
    init(small numerator: Int64, over denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
        wide = nil
    }

    private init(wide value: Wide) {
        numerator = 0
        denominator = 1
        wide = value
    }

    /// Zero.
    public static let zero = Exact(small: 0, over: 1)
    /// One.
    public static let one = Exact(small: 1, over: 1)
    /// One half.
    public static let half = Exact(small: 1, over: 2)

    /// Creates a whole number.
    public init(_ value: Int) { self.init(ratio: Int128(value), over: 1) }

    /// Creates a ratio in any terms; `nil` when the denominator is zero.
    public init?(_ numerator: Int, over denominator: Int) {
        guard denominator != 0 else { return nil }
        let sign: Int128 = denominator < 0 ? -1 : 1
        self.init(ratio: Int128(numerator) * sign, over: Int128(denominator) * sign)
    }

    /// Creates a ratio in any terms over a positive denominator.
    @inline(__always)
    init(ratio numerator: Int128, over denominator: Int128) {
        if let top = Int64(exactly: numerator), let bottom = Int64(exactly: denominator), top != .min {
            self.init(small: top, over: bottom)
        } else {
            self.init(reducing: numerator.magnitude, over: denominator.magnitude, isNegative: numerator < 0)
        }
    }

    @inline(never)
    private init(reducing numerator: UInt128, over denominator: UInt128, isNegative: Bool) {
        let divisor = Self.greatestCommonDivisor(numerator, denominator)
        let (top, bottom) = (numerator / divisor, denominator / divisor)
        if let small = Int64(exactly: top), let over = Int64(exactly: bottom) {
            self.init(small: isNegative ? -small : small, over: over)
        } else {
            self.init(wide: Wide(isNegative: isNegative, Magnitude(top), over: Magnitude(bottom)))
        }
    }

    /// Creates a value from limbs in any terms, in the small form if it fits.
    init(isNegative: Bool, _ numerator: Magnitude, over denominator: Magnitude) {
        let divisor = Magnitude.greatestCommonDivisor(numerator, denominator)
        self.init(
            isNegative: isNegative, lowest: numerator.divided(exactlyBy: divisor),
            over: denominator.divided(exactlyBy: divisor))
    }

    /// Creates a value from limbs in lowest terms, in the small form if it fits.
    init(isNegative: Bool, lowest numerator: Magnitude, over denominator: Magnitude) {
        if let small = numerator.int64, let over = denominator.int64 {
            self.init(small: isNegative ? -small : small, over: over)
        } else {
            self.init(wide: Wide(isNegative: isNegative, numerator, over: denominator))
        }
    }

    /// The same value in lowest terms.
    var reduced: Exact {
        guard wide == nil, denominator != 1 else { return self }
        let divisor = Int64(Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        return divisor == 1 ? self : Exact(small: numerator / divisor, over: denominator / divisor)
    }

    /// Sign, numerator and denominator as limbs, in the terms that are stored.
    var limbs: (isNegative: Bool, numerator: Magnitude, denominator: Magnitude) {
        if let wide { return (wide.isNegative, wide.numerator, wide.denominator) }
        return (
            numerator < 0, Magnitude(UInt128(numerator.magnitude)), Magnitude(UInt128(denominator.magnitude))
        )
    }

    /// Whether the value is below zero.
    public var isNegative: Bool { wide?.isNegative ?? (numerator < 0) }

    /// Whether the value is zero.
    public var isZero: Bool { wide == nil && numerator == 0 }

    /// Whether the value has no fraction.
    public var isWhole: Bool { wide?.denominator.isOne ?? (denominator == 1 || numerator % denominator == 0) }

    /// The value as a machine integer; `nil` if it is not whole or does not fit.
    public var integer: Int? {
        guard wide == nil else { return nil }
        if denominator == 1 { return Int(numerator) }
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        return remainder == 0 ? Int(quotient) : nil
    }

    /// The greater bit width of numerator and denominator in lowest terms.
    public var bitWidth: Int {
        switch reduced.form {
        case .small(let numerator, let denominator):
            64 - min(numerator.magnitude.leadingZeroBitCount, denominator.leadingZeroBitCount)
        case .wide(let wide): max(wide.numerator.bitWidth, wide.denominator.bitWidth)
        }
    }
}

extension Exact: Hashable {
    /// Returns whether two values are the same number, whatever their terms.
    public static func == (left: Exact, right: Exact) -> Bool {
        switch (left.form, right.form) {
        case (.small(let a, let b), .small(let c, let d)):
            b == d ? a == c : Int128(a) &* Int128(d) == Int128(c) &* Int128(b)
        case (.wide(let first), .wide(let second)): first == second
        case (.small, .wide), (.wide, .small): false
        }
    }

    /// Hashes the value in lowest terms.
    public func hash(into hasher: inout Hasher) {
        let lowest = reduced
        hasher.combine(lowest.numerator)
        hasher.combine(lowest.denominator)
        hasher.combine(lowest.wide)
    }
}

extension Exact: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self.init(value) }
}

/// A value that two machine words cannot hold. It is a separate object so that common small values are cheap to copy.
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
