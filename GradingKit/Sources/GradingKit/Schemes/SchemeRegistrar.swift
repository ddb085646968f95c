/// A collection of what a scheme registers: validators, calculators, decisions, warnings, templates and wording.
///
/// `GradingScheme.register(in:)` fills it once; the kit then compiles it.
public struct SchemeRegistrar {
    struct Validator: Sendable {
        let kind: Kind
        let check: @Sendable (EntryView, inout FaultSink) -> Void
    }

    /// A condition on recorded values, with the fault of an entry that violates it.
    struct Check: Sendable {
        let kind: Kind
        let fault: FaultCode
        let holds: @Sendable (GradedEntry) -> Bool
    }

    struct Warner: Sendable {
        let kind: Kind
        let warn: @Sendable (GradedEntry, inout WarningSink) -> Void
    }

    struct Template: Sendable {
        let name: String
        let label: LocalizedText
        let fields: JSON
        let entries: JSON
    }

    /// A grouping of a kind's entries.
    struct Grouping: Sendable {
        let kind: Kind
        let label: LocalizedText
        let base: Kind
        let fields: [String?]
        let key: @Sendable (GradedEntry) -> String?
    }

    var groupings: [Grouping] = []
    var validators: [Validator] = []
    var checks: [Check] = []
    var figures: [(kind: Kind, figure: CompiledFigure)] = []
    var families: [CompiledFamily] = []
    var outcomes: [(kind: Kind, outcome: CompiledOutcome)] = []
    var warners: [Warner] = []
    var templates: [Template] = []
    var catalog = MessageCatalog()
    var statuses = StatusTable.standard
    var judgesPoints = false
    /// Enough for a thousand entries with numbers of many digits, and about a second.
    var mostSteps = 40_000_000

    /// Registers a check of every entry of a kind, which runs after the shape's checks. It must report every fault it
    /// finds.
    public mutating func validate(
        _ kind: Kind, _ check: @escaping @Sendable (EntryView, inout FaultSink) -> Void
    ) {
        validators.append(Validator(kind: kind, check: check))
    }

    /// Refuses entries of a kind for which a condition does not hold; the condition is computed like a figure. Values
    /// that it reads may be missing, or be out of range with a fault of their own.
    public mutating func refuse(
        _ kind: Kind, as fault: FaultCode, unless holds: @escaping @Sendable (GradedEntry) -> Bool
    ) {
        checks.append(Check(kind: kind, fault: fault, holds: holds))
    }

    /// Registers a figure of every entry of a kind, or of the record.
    ///
    /// - Parameter names: its names in earlier versions of the rules, so that a rename loses no given value.
    public mutating func calculate(
        _ figure: Figure, of kind: Kind = .record, _ presentation: Presentation, formerly names: [String] = [],
        _ formula: @escaping @Sendable (GradedEntry) -> Quantity
    ) {
        figures.append(
            (kind, CompiledFigure(figure: figure, presentation: presentation, formerNames: names, formula: formula)))
    }

    /// Registers a figure that other formulas use but that is not shown.
    ///
    /// - Parameters:
    ///   - label: its name in explanations.
    ///   - names: its names in earlier versions of the rules. Classes give their rows hidden figures, too.
    public mutating func define(
        _ figure: Figure, of kind: Kind, label: LocalizedText? = nil, formerly names: [String] = [],
        _ formula: @escaping @Sendable (GradedEntry) -> Quantity
    ) {
        figures.append(
            (
                kind,
                CompiledFigure(figure: figure, presentation: nil, label: label, formerNames: names, formula: formula)
            ))
    }

    /// Registers a figure for each of several parts of the record, or of every entry of a kind; its name in JSON is
    /// `name:key`.
    ///
    /// - Parameter names: the family's names in earlier versions of the rules.
    public mutating func calculate(
        eachOf family: Figure, of kind: Kind = .record, _ presentation: Presentation, formerly names: [String] = [],
        _ formulas: @escaping @Sendable (GradedEntry) -> [(key: String, value: Quantity)]
    ) {
        families.append(
            CompiledFamily(
                figure: family, kind: kind, presentation: presentation, formerNames: names, formulas: formulas))
    }

    /// Groups siblings of a kind that share a key. A group has figures and outcomes like an entry: register them for
    /// `grouping` as if it were a kind. In JSON, the entry that contains the members shows them as `name:key`.
    ///
    /// In formulas, `entry.group(grouping)` is the group of an entry, `group.children(kind)` are its members, and
    /// `parent.children(grouping)` are the groups in an entry.
    ///
    /// - Parameters:
    ///   - grouping: the name of the groups, different from every kind.
    ///   - fields: for each part of the key, its field; `nil` for a computed part.
    ///   - key: the value that members share, its parts joined by points; `nil` for an entry that is a group of its
    ///     own. It must not depend on grades or on figures of groups. Keys are compared like names, without regard to
    ///     case.
    public mutating func group(
        _ grouping: Kind, _ label: LocalizedText, of kind: Kind, naming fields: [String?] = [],
        by key: @escaping @Sendable (GradedEntry) -> String?
    ) {
        groupings.append(Grouping(kind: grouping, label: label, base: kind, fields: fields, key: key))
    }

    /// Registers an outcome of every entry of a kind, or of the record.
    ///
    /// - Parameters:
    ///   - article: the article of the regulations that the outcome implements.
    ///   - values: the named values of the outcome, best first.
    ///   - names: its names in earlier versions of the rules.
    ///   - rule: makes the decision; `nil` for an entry that has no such outcome. Whether it has one must not depend on
    ///     grades.
    public mutating func decide(
        _ name: String, of kind: Kind = .record, _ label: LocalizedText, citing article: String? = nil,
        values: [OutcomeValue] = [], formerly names: [String] = [],
        _ rule: @escaping @Sendable (GradedEntry) -> Decision?
    ) {
        outcomes.append(
            (
                kind,
                CompiledOutcome(
                    name: name, label: label, article: article, values: values, formerNames: names, rule: rule)
            ))
    }

    /// Registers a warning about every entry of a kind, or about the record.
    public mutating func warn(
        _ kind: Kind = .record, _ warn: @escaping @Sendable (GradedEntry, inout WarningSink) -> Void
    ) {
        warners.append(Warner(kind: kind, warn: warn))
    }

    /// Registers a template for new records, in JSON form: a set of entries, and perhaps fields of the record itself.
    public mutating func template(_ name: String, _ label: LocalizedText, fields: JSON = .null, entries: JSON) {
        templates.append(Template(name: name, label: label, fields: fields, entries: entries))
    }

    /// Registers the wording of the scheme's own codes.
    public mutating func words(_ texts: [FaultCode: LocalizedText]) {
        catalog = catalog.adding(MessageCatalog(texts))
    }

    /// Bounds the cost of a record: how often one run may read fields, figures and outcomes. A record that takes more
    /// is refused as `too_much_work`. A standing takes up to three runs.
    public mutating func bound(steps: Int) { mostSteps = steps }

    /// Declares that outcomes, warnings or keys of groups compare points with a number of points, so that doubling
    /// points and maxima may change a decision.
    public mutating func judgingPoints() { judgesPoints = true }

    /// Sets how statuses count.
    public mutating func counting(_ table: StatusTable) { statuses = table }

    /// The former names that two figures, two outcomes or two families of one kind have, or that one of today has.
    var formerNameViolations: [String] {
        func clashes(_ named: [(kind: Kind, name: String, formerNames: [String])], _ what: String) -> [String] {
            named.flatMap { item in
                let beside = named.filter { $0.kind == item.kind }.flatMap { [$0.name] + $0.formerNames }
                return item.formerNames.filter { name in beside.count { $0 == name } > 1 }
                    .map { "two \(what) of \(item.kind) are or were \($0)" }
            }
        }
        return clashes(figures.map { ($0.kind, $0.figure.figure.name, $0.figure.formerNames) }, "figures")
            + clashes(families.map { ($0.kind, $0.figure.name, $0.formerNames) }, "families")
            + clashes(outcomes.map { ($0.kind, $0.outcome.name, $0.outcome.formerNames) }, "outcomes")
    }
}

/// The warnings of a scheme about one record.
public struct WarningSink {
    private(set) var warnings: [DecisionReason] = []

    /// Adds a warning about an entry or about the record.
    public mutating func add(_ code: FaultCode, at entry: GradedEntry? = nil, _ arguments: JSONObject = JSONObject()) {
        let id = entry?.id
        warnings.append(DecisionReason(code, at: id == .record ? nil : id, arguments))
    }
}

final class CompiledFigure: Sendable {
    let figure: Figure
    /// `nil` for a figure that only other formulas use.
    let presentation: Presentation?
    /// The name in explanations of a figure that is not shown.
    let label: LocalizedText?
    /// The names in earlier versions of the rules.
    let formerNames: [String]
    let formula: @Sendable (GradedEntry) -> Quantity
    /// The rounding steps applied before anything uses the value.
    let stages: [RoundingStep]

    init(
        figure: Figure, presentation: Presentation?, label: LocalizedText? = nil, formerNames: [String] = [],
        formula: @escaping @Sendable (GradedEntry) -> Quantity
    ) {
        self.figure = figure
        self.presentation = presentation
        self.label = label
        self.formerNames = formerNames
        self.formula = formula
        stages = presentation?.rule.stages ?? []
    }
}

struct CompiledFamily: Sendable {
    let figure: Figure
    /// The kind of the entries that show its members.
    let kind: Kind
    let presentation: Presentation
    /// The names in earlier versions of the rules.
    let formerNames: [String]
    let formulas: @Sendable (GradedEntry) -> [(key: String, value: Quantity)]
}

struct CompiledOutcome: Sendable {
    let name: String
    /// Whether each of several groups has the figure, under `name:key`.
    var isFamily = false
    let label: LocalizedText
    let article: String?
    let values: [OutcomeValue]
    /// The names in earlier versions of the rules.
    let formerNames: [String]
    let rule: @Sendable (GradedEntry) -> Decision?
}
