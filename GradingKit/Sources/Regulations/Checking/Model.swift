import GradingKit

/// A scale of grades.
struct ScaleModel: Sendable {
    let worst: Exact
    let best: Exact
    let step: Exact

    static let percent = ScaleModel(worst: 0, best: 100, step: Exact(1, over: 100) ?? 1)

    var better: Direction { best > worst ? .higher : .lower }
    var range: ValueRange { ValueRange(low: min(worst, best), high: max(worst, best)) }
    /// How a better grade changes the number.
    var trend: Trend { better == .higher ? .rises : .falls }
}

/// Bands, with the units of their bounds and points.
struct BandsModel: Sendable {
    let bands: Bands
    /// The unit of the bounds; `nil` for labels that people only enter.
    let dimension: Dimension?
    /// The unit of the points; `nil` without points.
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

/// A curve, with the units of its input and output.
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

/// A kind of entry with all its declarations; number 0 is the record.
struct KindModel {
    let name: String
    let label: LocalizedText
    let declaration: RegulationDocument.Entry?
    /// The number of the parent's kind.
    var parent: Int?
    /// The number of the grouped kind, if these are groups.
    var base: Int?
    var fields: [FieldModel] = []
    /// The index of a declaration among those of its sort, by name.
    var abbreviations: [String: Int] = [:]
    var figures: [String: Int] = [:]
    var outcomes: [String: Int] = [:]
    /// The values that a copy of an earlier record has.
    var taken: [String: Int] = [:]

    /// The nesting depth of its entries.
    var levels: Int { declaration?.nested?.levels ?? 1 }

    /// Whether its entries are copies of an earlier record, or inside one.
    var isCopy: Bool { declaration?.copies != nil }

    var names: [String] {
        fields.map(\.name) + abbreviations.keys.sorted() + figures.keys.sorted() + outcomes.keys.sorted()
            + taken.keys.sorted()
    }

    /// Whether entries show something with this name.
    func shows(_ name: String) -> Bool { figures[name] != nil || outcomes[name] != nil }

    func has(_ name: String) -> Bool {
        fields.contains { $0.name == name } || abbreviations[name] != nil || figures[name] != nil
            || outcomes[name] != nil || taken[name] != nil
    }
}

/// A checked formula that gives a number.
struct NumberValue: Sendable {
    var code: Code<Quantity>
    /// `nil` for a plain number, which takes the required unit.
    var dimension: Dimension?
    var range: ValueRange
    var trend: Trend
    /// Whether it was written as a percentage: `10%` is one tenth, and 10 beside percent.
    var isPercent = false
    /// How it is shown and judged, if it is the name of a shown figure.
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
    /// Why it is unknown, if it is.
    let why: Code<[DecisionReason]>
    let trend: Trend
    /// The entries that make it false, if it is a condition on every entry or on none.
    var blamed: (@Sendable (GradedEntry) -> [GradedEntry])?
    /// The kind of these entries.
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
    /// The possible values, if it is a choice.
    var choices: [String]?
    /// Its name in messages.
    var name = ""
    var literal: String?
    /// How grades change the text: `still` if they do not.
    var trend = Trend.still
}

/// The result of a checked formula.
enum CheckedFormula: Sendable {
    case number(NumberValue)
    case condition(ConditionValue)
    case text(TextValue)
    case outcome(OutcomeReading)
}

/// The place of a formula: it says which entry plain names refer to.
struct Scope {
    /// The kind of the current entry.
    var kind: Int
    /// The kind of the entry whose figure is computed.
    var own: Int
    /// Whether the current entry is one of a fold.
    var isInner = false
    /// Whether the current entry is inside one of its own kind whose figure is computed, so that it may use the same
    /// figure.
    var isWithin = false
    /// The number of enclosing folds.
    var folds = 0
    /// The scale of the figure, for an empty group that counts as one missing grade.
    var scale: ScaleModel?
    /// How often a part of a formula here is computed at most, for records of several sizes.
    var visits = Visits(repeating: 1)

    init(_ kind: Int, scale: ScaleModel? = nil) {
        self.kind = kind
        own = kind
        self.scale = scale
    }
}

/// The properties of an outcome, known once its clauses are checked.
struct OutcomeModel: Sendable {
    let rule: OutcomeRule
    /// The named values of the outcome, best first.
    let values: [OutcomeValue]
    /// How better grades change each value.
    let trends: ValueTrends
    /// Its nesting depth, with the figures and outcomes on which it depends.
    let height: Int
    /// Whether it compares points with a number of points.
    let countsPoints: Bool
}

/// The properties of a group, known once its keys are checked.
struct GroupModel: Sendable {
    /// The key of an entry, its parts joined by points; `nil` if a part is missing.
    let key: @Sendable (GradedEntry) -> String?
}

/// The properties of a figure, known once its formula is checked.
struct FigureModel: Sendable {
    let dimension: Dimension
    let range: ValueRange
    let trend: Trend
    /// How it is shown; `nil` for a hidden one.
    let presentation: Presentation?
    let formula: @Sendable (GradedEntry) -> Quantity
    /// The nesting depth of its computation, with the figures on which it depends.
    let height: Int
    /// Whether it compares points with a number of points.
    let countsPoints: Bool
}
