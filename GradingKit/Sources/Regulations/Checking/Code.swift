import GradingKit

/// A condition with three values, in one byte.
enum Truth: UInt8, Sendable {
    case no, unknown, yes

    init(_ value: Bool) { self = value ? .yes : .no }

    /// Returns one of three values; the others are not computed.
    func pick<Value>(
        _ yes: @autoclosure () -> Value, _ no: @autoclosure () -> Value, _ unknown: @autoclosure () -> Value
    ) -> Value {
        switch self {
        case .yes: yes()
        case .no: no()
        case .unknown: unknown()
        }
    }

    /// Joins two conditions. If the first is `decisive`, the other is not computed.
    func joined(with other: @autoclosure () -> Truth, _ decisive: Truth) -> Truth {
        if self == decisive { return decisive }
        let other = other()
        return other == decisive ? decisive : self == .unknown ? .unknown : other
    }

    var negated: Truth {
        switch self {
        case .no: .yes
        case .unknown: .unknown
        case .yes: .no
        }
    }
}

/// The result of checking a formula: a value known when the rules are read, a closure over the current entry, or a
/// closure over it and the entry whose figure is computed.
enum Code<Value: Sendable>: Sendable {
    case constant(Value)
    case one(@Sendable (GradedEntry) -> Value)
    case two(@Sendable (_ entry: GradedEntry, _ own: GradedEntry) -> Value)

    /// The closure over the entry of the figure.
    var closed: @Sendable (GradedEntry) -> Value {
        switch self {
        case .constant(let value): { _ in value }
        case .one(let compute): compute
        case .two(let compute): { compute($0, $0) }
        }
    }

    var isConstant: Bool { if case .constant = self { true } else { false } }

    /// The closure over both entries.
    var open: @Sendable (GradedEntry, GradedEntry) -> Value {
        switch self {
        case .constant(let value): { _, _ in value }
        case .one(let compute): { entry, _ in compute(entry) }
        case .two(let compute): compute
        }
    }

    func map<Result: Sendable>(_ transform: @escaping @Sendable (Value) -> Result) -> Code<Result> {
        switch self {
        case .constant(let value): .constant(transform(value))
        case .one(let compute): .one { transform(compute($0)) }
        case .two(let compute): .two { transform(compute($0, $1)) }
        }
    }

    func with<Other: Sendable, Result: Sendable>(
        _ other: Code<Other>, _ combine: @escaping @Sendable (Value, Other) -> Result
    ) -> Code<Result> {
        switch (self, other) {
        case (.constant(let left), .constant(let right)): return .constant(combine(left, right))
        case (.one(let left), .constant(let right)): return .one { combine(left($0), right) }
        case (.constant(let left), .one(let right)): return .one { combine(left, right($0)) }
        case (.one(let left), .one(let right)): return .one { combine(left($0), right($0)) }
        default:
            let (left, right) = (open, other.open)
            return .two { combine(left($0, $1), right($0, $1)) }
        }
    }

    /// Combines several closures: with `one` if all of them depend only on the current entry, otherwise with `two`.
    static func several<Result: Sendable>(
        _ codes: [Code], one: (_ codes: [@Sendable (GradedEntry) -> Value]) -> @Sendable (GradedEntry) -> Result,
        two: (_ codes: [@Sendable (GradedEntry, GradedEntry) -> Value]) ->
            @Sendable (GradedEntry, GradedEntry) -> Result
    ) -> Code<Result> {
        codes.allSatisfy(\.isClosed) ? .one(one(codes.map(\.closed))) : .two(two(codes.map(\.open)))
    }

    /// Whether it depends only on the current entry.
    var isClosed: Bool { if case .two = self { false } else { true } }
}

/// The way from the current entry, or from the entry whose figure is computed, to an enclosing one.
struct Way: Sendable {
    /// Whether it starts at the entry whose figure is computed.
    let isOwn: Bool
    /// How many levels up.
    let steps: Int
    /// The grouping whose group it enters at the end.
    var group: Kind?
    /// Whether it goes on to the member of the group that has the shared values.
    var isToMember = false

    static let here = Way(isOwn: false, steps: 0)

    /// Whether it leads to the current entry.
    var isHere: Bool { !isOwn && steps == 0 && group == nil }

    /// The way to the values that the members of a group share.
    var toMember: Way {
        var way = self
        way.isToMember = true
        return way
    }

    /// Returns the code here of a closure over the entry at the end of the way.
    func code<Value: Sendable>(_ compute: @escaping @Sendable (GradedEntry) -> Value) -> Code<Value> {
        let steps = steps
        if group != nil || isToMember {
            return isOwn ? .two { compute(entry($0, $1)) } : .one { compute(entry($0, $0)) }
        }
        switch (isOwn, steps) {
        case (false, 0): return .one(compute)
        case (false, 1): return .one { compute($0.parent) }
        case (false, _): return .one { compute(Self.up($0, steps)) }
        case (true, _): return .two { compute(Self.up($1, steps)) }
        }
    }

    /// The entry at the end of the way.
    func entry(_ entry: GradedEntry, _ own: GradedEntry) -> GradedEntry {
        var place = Self.up(isOwn ? own : entry, steps)
        if let group { place = place.group(group) ?? place }
        return isToMember ? place.representative : place
    }

    private static func up(_ entry: GradedEntry, _ steps: Int) -> GradedEntry {
        var entry = entry
        for _ in 0..<steps { entry = entry.parent }
        return entry
    }
}
