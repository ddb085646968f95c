/// On which form of a value a band or a bar is judged.
public enum CompareRule: Sendable, Hashable {
    /// On the exact value.
    case exact
    /// On the value as it is shown, so that what is shown can never contradict what was decided.
    case displayed
    /// On the exact value, which may fall short by that much.
    case tolerance(Exact)
}

/// One rounding step.
public struct RoundingStep: Sendable, Hashable {
    /// Which way.
    public var rounding: Rounding
    /// To which values.
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
    /// The higher, as with points.
    case higher
    /// The lower, as with German grades.
    case lower

    /// Whether a value is as good as another, or better.
    public func reaches(_ value: Exact, _ bound: Exact) -> Bool { self == .higher ? value >= bound : value <= bound }
}

/// How a figure is rounded, shown and judged.
public struct FigureRule: Sendable, Hashable {
    /// How the figure is shown: the only rounding there is unless `stages` lists more.
    public var shown: RoundingStep
    /// On which value bands and bars are judged.
    public var compareOn: CompareRule
    /// Roundings of the value itself, in order, before anything uses it. Empty in an exact scheme.
    public var stages: [RoundingStep]
    /// Which values are better. Bounds of bands and bars are the worst values that reach them.
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

    /// The same rule for a figure on the way to the one whose stages are configured.
    public var withoutStages: FigureRule {
        var rule = self
        rule.stages = []
        return rule
    }

    /// The text of a value.
    public func display(_ value: Exact) -> String {
        let scale = shown.grid.scale
        if case .scale = shown.grid { return shown.rounding.text(value, scale: scale) }
        return Rounding.halfUp.text(shown(value), scale: scale)
    }

    /// Whether a value reaches a bound.
    public func reaches(_ value: Exact, _ bound: Exact) -> Bool { better.reaches(judged(value), bound) }

    /// The value that is compared with bounds.
    public func judged(_ value: Exact) -> Exact {
        switch compareOn {
        case .exact: value
        case .displayed: shown(value)
        case .tolerance(let slack): better == .higher ? value + slack : value - slack
        }
    }

    /// How far a value may worsen before it no longer reaches a bound.
    public func margin(of value: Exact, over bound: Exact) -> Exact {
        better == .higher ? judged(value) - bound : bound - judged(value)
    }
}

/// One step of a scale: a label for every value from a bound up to the next better band.
public struct Band: Sendable, Hashable {
    /// The letter, colour or mention.
    public var label: String
    /// The worst value of the band, in the unit of what is judged. The worst band also takes whatever lies beyond.
    public var from: Exact
    /// What the label is worth, where labels have points.
    public var points: Exact?
    /// What people call the label in each language; `nil` where it is the label itself.
    public var text: LocalizedText?

    /// A band.
    public init(_ label: String, from: Exact, points: Exact? = nil, text: LocalizedText? = nil) {
        self.label = label
        self.from = from
        self.points = points
        self.text = text
    }
}

/// A scale of bands with the rule by which values are judged on it.
///
/// Bands are bounds that strictly worsen, so gaps and overlaps cannot be written down.
public struct Bands: Sendable, Hashable {
    /// The bands, best first.
    public let list: [Band]
    /// How values are judged.
    public let rule: FigureRule

    /// A scale; `list` strictly worsens, best band first, as the settings form checks.
    public init(_ list: [Band], judging rule: FigureRule) {
        self.list = list
        self.rule = rule
    }

    /// The band of a value; `nil` when there is no band at all.
    public func band(for value: Exact) -> Band? { place(of: value).map { list[$0] } }

    /// The band of a quantity; `nil` when it is undefined.
    public func band(for quantity: Quantity) -> Band? { quantity.value.flatMap { band(for: $0) } }

    /// What the band of a quantity is worth; undefined when the quantity is.
    public func points(for quantity: Quantity) -> Quantity { quantity.mapped(.bands(self)) { points(for: $0) } }

    /// What the band of a value is worth; nothing where bands have no points.
    func points(for value: Exact) -> Exact { place(of: value).flatMap { list[$0].points } ?? .zero }

    /// The place of the band of a value. By place, because to look at a band is not to copy it.
    private func place(of value: Exact) -> Int? {
        let judged = rule.judged(value)
        for place in list.indices where rule.better.reaches(judged, list[place].from) { return place }
        return list.isEmpty ? nil : list.count - 1
    }
}

/// A value to be reached, with the rule by which that is judged.
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
