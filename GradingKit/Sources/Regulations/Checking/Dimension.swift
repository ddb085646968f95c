import GradingKit

/// The unit of a number: names with their powers, none of them 0.
struct Dimension: Hashable, Sendable {
    private var powers: [String: Int]

    static let plain = Dimension(powers: [:])
    static let percent = Dimension("percent")

    private init(powers: [String: Int]) { self.powers = powers }
    init(_ name: String) { powers = [name: 1] }

    /// Whether the dimension contains one of some units, to any power.
    func isCounted(in units: Set<String>) -> Bool { powers.keys.contains { units.contains($0) } }

    /// The unit's name, if it is a single one to the first power.
    var single: String? { powers.count == 1 && powers.first?.value == 1 ? powers.first?.key : nil }
    var isPlain: Bool { powers.isEmpty }

    /// Whether it has more names than any sensible unit.
    var isLong: Bool { powers.count > 16 }

    static func * (left: Self, right: Self) -> Self {
        Dimension(powers: left.powers.merging(right.powers, uniquingKeysWith: +).filter { $0.value != 0 })
    }

    static func / (left: Self, right: Self) -> Self {
        left * Dimension(powers: right.powers.mapValues { -$0 })
    }

    /// The written form: `mark per days`.
    var text: String {
        if powers.isEmpty { return "plain" }
        func list(_ names: [(String, Int)]) -> String {
            names.map { $0.1 == 1 ? $0.0 : "\($0.0)^\($0.1)" }.joined(separator: " ")
        }
        let over = powers.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let under = powers.filter { $0.value < 0 }.sorted { $0.key < $1.key }.map { ($0.key, -$0.value) }
        let top = over.isEmpty ? "1" : list(over)
        return under.isEmpty ? top : "\(top) per \(list(under))"
    }
}

/// The range of a number, as far as declared ranges tell; `nil` means no bound.
struct ValueRange: Sendable, Equatable {
    /// A bound with more bits is dropped: figures that square each other would double its digits at each step.
    private static let mostBits = 512

    var low: Exact?
    var high: Exact?

    init(low: Exact? = nil, high: Exact? = nil) {
        self.low = Self.kept(low)
        self.high = Self.kept(high)
    }

    private static func kept(_ bound: Exact?) -> Exact? { bound.flatMap { $0.bitWidth > mostBits ? nil : $0 } }

    static let any = ValueRange()
    static let positive = ValueRange(low: 0)

    var isNonNegative: Bool { low.map { !$0.isNegative } ?? false }
    var isNonPositive: Bool { high.map { $0 <= .zero } ?? false }

    static func + (left: Self, right: Self) -> Self {
        ValueRange(low: both(left.low, right.low, +), high: both(left.high, right.high, +))
    }

    var negated: ValueRange { ValueRange(low: high.map { -$0 }, high: low.map { -$0 }) }

    static func * (left: Self, right: Self) -> Self {
        if let a = left.low, let b = left.high, let c = right.low, let d = right.high {
            let products = [a * c, a * d, b * c, b * d]
            return ValueRange(low: products.min(), high: products.max())
        }
        if left.isNonNegative, right.isNonNegative {
            return ValueRange(low: both(left.low, right.low, *), high: both(left.high, right.high, *))
        }
        let isOneSigned = (left.isNonNegative || left.isNonPositive) && (right.isNonNegative || right.isNonPositive)
        guard isOneSigned else { return .any }
        return left.isNonNegative == right.isNonNegative ? .positive : ValueRange(high: 0)
    }

    static func / (left: Self, right: Self) -> Self {
        if let value = right.low, value == right.high, !value.isZero {
            let ends = [left.low, left.high].map { $0.flatMap { $0 / value } }
            return value.isNegative ? ValueRange(low: ends[1], high: ends[0]) : ValueRange(low: ends[0], high: ends[1])
        }
        guard right.isNonNegative else { return .any }
        if left.isNonNegative { return .positive }
        return left.isNonPositive ? ValueRange(high: 0) : .any
    }

    /// The range of values in either.
    func union(_ other: ValueRange) -> ValueRange {
        ValueRange(low: Self.both(low, other.low) { min($0, $1) }, high: Self.both(high, other.high) { max($0, $1) })
    }

    /// The range of the smaller, or the greater, of two.
    static func min(_ left: Self, _ right: Self) -> Self {
        ValueRange(
            low: both(left.low, right.low) { Swift.min($0, $1) },
            high: [left.high, right.high].compactMap(\.self).min())
    }

    static func max(_ left: Self, _ right: Self) -> Self {
        ValueRange(
            low: [left.low, right.low].compactMap(\.self).max(),
            high: both(left.high, right.high) { Swift.max($0, $1) })
    }

    private func min(_ left: Exact, _ right: Exact) -> Exact { left < right ? left : right }
    private func max(_ left: Exact, _ right: Exact) -> Exact { left > right ? left : right }

    private static func both(_ left: Exact?, _ right: Exact?, _ combine: (Exact, Exact) -> Exact) -> Exact? {
        guard let left, let right else { return nil }
        return combine(left, right)
    }
}

/// How a better grade changes a number or a condition. Better means greater here; on a scale where lower grades are
/// better, grades fall.
enum Trend: Sendable, Equatable {
    case still, rises, falls, either

    static func + (left: Self, right: Self) -> Self {
        switch (left, right) {
        case (.still, let other), (let other, .still): other
        default: left == right ? left : .either
        }
    }

    var reversed: Trend {
        switch self {
        case .still, .either: self
        case .rises: .falls
        case .falls: .rises
        }
    }

    /// The trend after multiplication by a constant.
    func times(_ range: ValueRange) -> Trend {
        if self == .still || range.isNonNegative { return self }
        return range.isNonPositive ? reversed : .either
    }
}
