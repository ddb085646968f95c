/// Which form of a value is compared with the bounds of bands and bars.
public enum CompareRule: Sendable, Hashable {
    /// The exact value.
    case exact
    /// The displayed value, so that the display never contradicts the decision.
    case displayed
    /// The exact value, which may miss the bound by this much.
    case tolerance(Exact)
}

/// One rounding step.
public struct RoundingStep: Sendable, Hashable {
    /// The direction of rounding.
    public var rounding: Rounding
    /// The values to which it rounds.
    public var grid: RoundingGrid

    /// A rounding step.
    public init(_ rounding: Rounding, _ grid: RoundingGrid) {
        self.rounding = rounding
        self.grid = grid
    }

    /// A rounding step to a number of decimals.
    public init(_ rounding: Rounding, scale: Int) { self.init(rounding, .scale(scale)) }

    /// The rounded value.
    public func callAsFunction(_ value: Exact) -> Exact { rounding(value, to: grid) }
}

/// Which of two values is the better one.
public enum Direction: String, Sendable {
    /// The higher one, as with points.
    case higher
    /// The lower one, as with German grades.
    case lower

    /// Whether a value is at least as good as a bound.
    public func reaches(_ value: Exact, _ bound: Exact) -> Bool { self == .higher ? value >= bound : value <= bound }
}

/// How a figure is rounded, displayed and judged.
public struct FigureRule: Sendable, Hashable {
    /// How the figure is displayed. This is the only rounding unless `stages` has more.
    public var shown: RoundingStep
    /// Which form of the value is compared with bands and bars.
    public var compareOn: CompareRule
    /// Roundings of the value itself, in order, before anything uses it. Empty in an exact scheme.
    public var stages: [RoundingStep]
    /// Which values are better. The bound of a band or bar is the worst value that reaches it.
    public var better = Direction.higher

    /// A rule.
    public init(
        _ rounding: Rounding, scale: Int, compareOn: CompareRule, stages: [RoundingStep] = [],
        better: Direction = .higher
    ) {
        self.better = better
        shown = RoundingStep(rounding, scale: scale)
        self.compareOn = compareOn
        self.stages = stages
    }

    /// The same rule without stages, for an intermediate figure.
    public var withoutStages: FigureRule {
        var rule = self
        rule.stages = []
        return rule
    }

    /// The displayed text of a value.
    public func display(_ value: Exact) -> String {
        let scale = shown.grid.scale
        if case .scale = shown.grid { return shown.rounding.text(value, scale: scale) }
        return Rounding.halfUp.text(shown(value), scale: scale)
    }

    /// Whether a value reaches a bound.
    public func reaches(_ value: Exact, _ bound: Exact) -> Bool { better.reaches(judged(value), bound) }

    /// The form of a value that is compared with bounds.
    public func judged(_ value: Exact) -> Exact {
        switch compareOn {
        case .exact: value
        case .displayed: shown(value)
        case .tolerance(let slack): better == .higher ? value + slack : value - slack
        }
    }

    /// How much worse the value may get and still reach the bound.
    public func margin(of value: Exact, over bound: Exact) -> Exact {
        better == .higher ? judged(value) - bound : bound - judged(value)
    }
}

/// One step of a scale: a label for every value from a bound up to the next better band.
public struct Band: Sendable, Hashable {
    /// The letter, colour or mention.
    public var label: String
    /// The worst value of the band, in the unit of the judged value. The worst band also takes everything below it.
    public var from: Exact
    /// What the label is worth, where labels have points.
    public var points: Exact?
    /// The label in each language; `nil` if it is the same in all.
    public var text: LocalizedText?

    /// A band.
    public init(_ label: String, from: Exact, points: Exact? = nil, text: LocalizedText? = nil) {
        self.label = label
        self.from = from
        self.points = points
        self.text = text
    }
}

/// A scale of bands, with the rule that compares values with them.
///
/// Each band has one bound, and the bounds strictly worsen, so bands can neither overlap nor leave gaps.
public struct Bands: Sendable, Hashable {
    /// The bands, best first.
    public let list: [Band]
    /// How values are judged.
    public let rule: FigureRule

    /// A scale. The bounds of `list` strictly worsen, best band first; the settings form checks this.
    public init(_ list: [Band], judging rule: FigureRule) {
        self.list = list
        self.rule = rule
    }

    /// The band of a value; `nil` if the scale has no bands.
    public func band(for value: Exact) -> Band? { place(of: value).map { list[$0] } }

    /// The band of a quantity; `nil` when it is undefined.
    public func band(for quantity: Quantity) -> Band? { quantity.value.flatMap { band(for: $0) } }

    /// The points of a quantity's band; undefined if the quantity is.
    public func points(for quantity: Quantity) -> Quantity { quantity.mapped(.bands(self)) { points(for: $0) } }

    /// The points of a value's band; 0 if bands have no points.
    func points(for value: Exact) -> Exact { place(of: value).flatMap { list[$0].points } ?? .zero }

    /// The index of a value's band. An index, because returning the band would copy it.
    func place(of value: Exact) -> Int? {
        let judged = rule.judged(value)
        for place in list.indices where rule.better.reaches(judged, list[place].from) { return place }
        return list.isEmpty ? nil : list.count - 1
    }
}

/// A bound that a figure must reach, with the rule that compares figures with it.
public struct Bar: Sendable, Hashable {
    /// The worst value that passes.
    public let value: Exact
    /// How values are judged.
    public let rule: FigureRule

    /// A bar.
    public init(_ value: Exact, judging rule: FigureRule) {
        self.value = value
        self.rule = rule
    }
}
