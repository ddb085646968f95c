/// The rounding rules that turn an exact value into a displayed one.
public enum Rounding: String, Sendable, CaseIterable {
    /// To the nearest; ties away from zero.
    case halfUp
    /// To the nearest; ties to the even neighbour.
    case halfEven
    /// To the nearest; ties toward zero.
    case halfDown
    /// Up, toward +∞.
    case ceiling
    /// Down, toward −∞.
    case floor
    /// Toward zero.
    case truncate

    /// Rounds the value to a whole number.
    func whole(_ value: Exact) -> Exact {
        switch value.form {
        case .small(let numerator, let denominator):
            let (quotient, remainder) = numerator.magnitude.quotientAndRemainder(dividingBy: denominator.magnitude)
            let half: Half = remainder == 0 ? .exact : compare(remainder, denominator.magnitude - remainder)
            let isUp = raises(half, isOdd: quotient & 1 == 1, isNegative: numerator < 0)
            let magnitude = Int128(quotient) + (isUp ? 1 : 0)
            return Exact(ratio: numerator < 0 ? -magnitude : magnitude, over: 1)
        case .wide(let wide):
            let isNegative = wide.isNegative
            guard let (quotient, remainder) = wide.numerator.dividing(by: wide.denominator) else { return value }
            let half: Half =
                remainder.isZero ? .exact : compare(remainder, Magnitude.difference(wide.denominator, remainder).0)
            let isUp = raises(half, isOdd: quotient.isOdd, isNegative: isNegative)
            let magnitude = quotient + Magnitude(isUp ? 1 : 0)
            return Exact(isNegative: isNegative && !magnitude.isZero, magnitude, over: Magnitude(1))
        }
    }

    /// The position of a value between its two whole neighbours.
    private enum Half { case exact, below, tie, above }

    private func compare<Number: Comparable>(_ remainder: Number, _ rest: Number) -> Half {
        remainder < rest ? .below : remainder == rest ? .tie : .above
    }

    /// Returns whether the magnitude is rounded up to the next whole number.
    private func raises(_ half: Half, isOdd: Bool, isNegative: Bool) -> Bool {
        switch (self, half) {
        case (_, .exact), (.truncate, _): false
        case (.ceiling, _): !isNegative
        case (.floor, _): isNegative
        case (_, .below): false
        case (_, .above): true
        case (.halfUp, .tie): true
        case (.halfDown, .tie): false
        case (.halfEven, .tie): isOdd
        }
    }

    /// Rounds the value to the grid.
    public func callAsFunction(_ value: Exact, to grid: RoundingGrid) -> Exact {
        switch grid {
        case .scale(let scale):
            let power = Exact.powerOfTen(scale)
            return whole(value * power) / power ?? value
        case .step(let step):
            guard let count = value / step else { return value }
            return whole(count) * step
        }
    }

    /// Rounds the value and returns it with exactly `scale` decimals.
    public func text(_ value: Exact, scale: Int) -> String {
        let whole = whole(value * Exact.powerOfTen(scale))
        if case .small(let digits, 1) = whole.form {
            return Exact.decimal(digits.magnitude, scale: scale, isNegative: digits < 0)
        }
        let digits = String(whole.magnitude.description)
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
        let sign = whole.isNegative ? "-" : ""
        return scale > 0 ? "\(sign)\(padded.dropLast(scale)).\(padded.suffix(scale))" : sign + padded
    }
}

/// The values that a displayed figure may take: all decimals of a scale, or all multiples of a rational step.
public enum RoundingGrid: Sendable, Hashable {
    /// The number of decimals, 0…9.
    case scale(Int)
    /// Multiples of a positive step that is a finite decimal, such as 1/2 or 1/4.
    case step(Exact)

    /// The distance between neighbouring values.
    public var step: Exact {
        switch self {
        case .scale(let scale): Exact.powerOfTen(scale).reciprocal ?? .one
        case .step(let step): step
        }
    }

    /// The number of decimals with which values are displayed.
    public var scale: Int {
        switch self {
        case .scale(let scale): return scale
        case .step(let step):
            guard let text = step.decimalText, let point = text.firstIndex(of: ".") else { return 0 }
            return text.distance(from: point, to: text.endIndex) - 1
        }
    }
}

extension Exact {
    private static let powersOfTen: [Exact] = (0...9).map { exponent in
        Exact((0..<exponent).reduce(1) { power, _ in power * 10 })
    }

    /// Returns ten to a power of 0 or more.
    static func powerOfTen(_ exponent: Int) -> Exact {
        if powersOfTen.indices.contains(exponent) { return powersOfTen[exponent] }
        return Exact(isNegative: false, Magnitude.powerOfTen(max(0, exponent)), over: Magnitude(1))
    }
}
