import GradingKit

/// A scale that grades are given in.
struct ScaleModel: Sendable {
    let worst: Exact
    let best: Exact
    let step: Exact

    static let percent = ScaleModel(worst: 0, best: 100, step: Exact(1, over: 100) ?? 1)

    var better: Direction { best > worst ? .higher : .lower }
    var range: ValueRange { ValueRange(low: min(worst, best), high: max(worst, best)) }
    /// What a better grade does to the number.
    var trend: Trend { better == .higher ? .rises : .falls }
}

/// Bands with what they are in and what they are worth.
struct BandsModel: Sendable {
    let bands: Bands
    /// What the bounds are in; `nil` for labels that are only entered.
    let dimension: Dimension?
    /// What the points are in; `nil` without points.
    let worth: Dimension?

    /// Whether better bands have more points, fewer, or neither.
    var trend: Trend {
        let points = bands.list.map { $0.points ?? .zero }
        let pairs = zip(points, points.dropFirst())
        let better: Trend = bands.rule.better == .higher ? .rises : .falls
        if pairs.allSatisfy({ $0 >= $1 }) { return better }
        return pairs.allSatisfy({ $0 <= $1 }) ? better.reversed : .either
    }

    var pointRange: ValueRange {
        let points = bands.list.map { $0.points ?? .zero }
        return ValueRange(low: points.min(), high: points.max())
    }
}

/// A curve with what it leads from and to.
struct CurveModel: Sendable {
    let curve: Curve
    let from: Dimension
    let to: Dimension

    var range: ValueRange {
        let values = curve.points.map(\.to)
        return ValueRange(low: values.min(), high: values.max())
    }
}

/// A setting with its value.
struct SettingModel: Sendable {
    enum Value: Sendable {
        case number(Exact, Dimension)
        case flag(Bool)
        case choice(String, of: [String])
    }

    let value: Value
}

/// A field as formulas see it.
struct FieldModel: Sendable {
    enum Content: Sendable {
        case number(Dimension, ValueRange, ScaleModel?, isGrade: Bool)
        case text
        case choice([String])
        case flag
    }

    let name: String
    let content: Content
    let shape: FieldShape
    let isUnique: Bool
}

/// A kind of entry with all that has a name in it; number 0 is the record.
struct KindModel {
    let name: String
    let label: LocalizedText
    let declaration: RegulationDocument.Entry?
    /// The number of the kind it stands in.
    var parent: Int?
    /// The number of the kind that is grouped, where these are groups.
    var base: Int?
    var fields: [FieldModel] = []
    /// By name, the place of a declaration among those of its sort.
    var abbreviations: [String: Int] = [:]
    var figures: [String: Int] = [:]
    var outcomes: [String: Int] = [:]
    /// What a copy of an earlier record has.
    var taken: [String: Int] = [:]

    /// How many levels deep its entries stand in each other.
    var levels: Int { declaration?.nested?.levels ?? 1 }

    /// Whether its entries are copies of an earlier record, or of what stands in one.
    var isCopy: Bool { declaration?.copies != nil }

    var names: [String] {
        fields.map(\.name) + abbreviations.keys.sorted() + figures.keys.sorted() + outcomes.keys.sorted()
            + taken.keys.sorted()
    }

    /// Whether entries show something under a name.
    func shows(_ name: String) -> Bool { figures[name] != nil || outcomes[name] != nil }

    func has(_ name: String) -> Bool {
        fields.contains { $0.name == name } || abbreviations[name] != nil || figures[name] != nil
            || outcomes[name] != nil || taken[name] != nil
    }
}

/// A checked formula that gives a number.
struct NumberValue: Sendable {
    var code: Code<Quantity>
    /// `nil` for a number as it is written, which takes the unit that is needed.
    var dimension: Dimension?
    var range: ValueRange
    var trend: Trend
    /// Written as `10%`: one tenth, and 10 beside percent.
    var isPercent = false
    /// How it is shown and judged, where it is the name of a shown figure.
    var rule: FigureRule?

    init(
        _ code: Code<Quantity>, _ dimension: Dimension?, _ range: ValueRange = .any, _ trend: Trend = .still
    ) {
        self.code = code
        self.dimension = dimension
        self.range = range
        self.trend = trend
    }

    init(constant: Exact, _ dimension: Dimension?) {
        self.init(.constant(Quantity(constant)), dimension, ValueRange(low: constant, high: constant))
    }

    var constant: Exact? {
        if case .constant(let quantity) = code { quantity.value } else { nil }
    }
}

/// A checked formula that gives a condition.
struct ConditionValue: Sendable {
    let code: Code<Truth>
    /// Why it is unknown, while it is.
    let why: Code<[DecisionReason]>
    let trend: Trend
    /// The entries that make it false, for a condition on every entry or on none.
    var blamed: (@Sendable (GradedEntry) -> [GradedEntry])?
    /// The kind of these.
    var blamedKind: Int?

    init(_ code: Code<Truth>, why: Code<[DecisionReason]> = .constant([]), _ trend: Trend = .still) {
        self.code = code
        self.why = why
        self.trend = trend
    }
}

/// A checked formula that gives a text.
struct TextValue: Sendable {
    let code: Code<String?>
    /// The values it can have, where it is one of a few.
    var choices: [String]?
    /// What it is called in messages.
    var name = ""
    var literal: String?
    /// Whether a grade decides which text it is: `still` if none does.
    var trend = Trend.still
}

/// What a checked formula gives.
enum CheckedFormula: Sendable {
    case number(NumberValue)
    case condition(ConditionValue)
    case text(TextValue)
    case outcome(OutcomeReading)
}

/// Where a formula stands: which entry its bare names are of.
struct Scope {
    /// The kind of the entry at hand.
    var kind: Int
    /// The kind of the entry whose figure is computed.
    var own: Int
    /// Whether the entry at hand is one that a fold goes over.
    var isInner = false
    /// Whether that entry stands in one of its own kind, whose figure is computed: it may ask for the same figure.
    var isWithin = false
    /// How many folds are around.
    var folds = 0
    /// The scale of the figure, for an empty group that is one missing grade.
    var scale: ScaleModel?
    /// How often a part of a formula here is computed for the greatest record, at most.
    var visits = Visits(repeating: 1)

    init(_ kind: Int, scale: ScaleModel? = nil) {
        self.kind = kind
        own = kind
        self.scale = scale
    }
}

/// What is known of an outcome once its clauses are checked.
struct OutcomeModel: Sendable {
    let rule: OutcomeRule
    /// The values that the outcome names itself, best first.
    let values: [OutcomeValue]
    /// What better grades do to each of them.
    let trends: ValueTrends
    /// How deep it nests, with the figures and outcomes it needs.
    let height: Int
    /// Whether it compares points with a number of points.
    let countsPoints: Bool
}

/// What is known of a group once its keys are checked.
struct GroupModel: Sendable {
    /// The key of an entry, its parts joined by points; `nil` where it lacks one.
    let key: @Sendable (GradedEntry) -> String?
}

/// What is known of a figure once its formula is checked.
struct FigureModel: Sendable {
    let dimension: Dimension
    let range: ValueRange
    let trend: Trend
    /// How it is shown; `nil` for a hidden one.
    let presentation: Presentation?
    let formula: @Sendable (GradedEntry) -> Quantity
    /// How deep its computation nests, with the figures it needs.
    let height: Int
    /// Whether it compares points with a number of points.
    let countsPoints: Bool
}
