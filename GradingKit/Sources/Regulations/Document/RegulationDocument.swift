import GradingKit

/// The declarations of a document as written, before names are looked up.
struct RegulationDocument: Sendable {
    /// The name and label of a declaration, and its article.
    struct Heading: Sendable {
        let name: Formula.Word
        var label: LocalizedText?
        let article: String
    }

    struct Unit: Sendable {
        let over: Formula.Word
        var per: Formula.Word?
    }

    struct Scale: Sendable {
        let heading: Heading
        let worst: Exact
        let best: Exact
        let step: Exact
    }

    struct RoundingRule: Sendable {
        let heading: Heading
        var rule: FigureRule
        /// Whether programs may replace it.
        var isSetting = false
    }

    struct BandTable: Sendable {
        let heading: Heading
        /// The unit of the bounds; `nil` for labels that people only enter, which have no bounds.
        let unit: Unit?
        let judgedBy: Formula.Word?
        let worth: Formula.Word?
        var bands: [(band: Band, range: Range<Int>)] = []
        /// Whether programs may replace them.
        var isSetting = false
    }

    /// A piecewise linear function.
    struct CurveTable: Sendable {
        let heading: Heading
        let from: Unit
        let to: Unit
        var points: [(from: Exact, to: Exact, range: Range<Int>)] = []
    }

    /// Numbers or texts by row and column.
    struct Table: Sendable {
        /// The name of a row or a column.
        typealias Label = Formula.Word

        enum Cell: Sendable {
            case number(Exact)
            case text(String)

            var number: Exact? { if case .number(let number) = self { number } else { nil } }
            var text: String? { if case .text(let text) = self { text } else { nil } }
        }

        let heading: Heading
        let unit: Unit?
        var columns: [Label] = []
        var rows: [Label] = []
        /// Row by row, one for each column; `nil` for an empty cell.
        var cells: [Cell?] = []
        /// Whether the cells are texts.
        var holdsTexts = false
        /// The lines below the head of the declaration, or the place for them.
        let body: Range<Int>
    }

    struct Setting: Sendable {
        enum Content: Sendable {
            case number(Exact, from: Exact?, to: Exact?)
            case numberOf(Exact, [Exact])
            case flag(Bool)
            case choice(String, of: [Formula.Word])
        }

        let heading: Heading
        let unit: Unit?
        let content: Content
    }

    /// A status, with the rule by which its entries count.
    struct StatusRow: Sendable {
        let heading: Heading
        var rule: StatusRule
        /// Whether programs may replace the rule.
        var isSetting = false

        /// `nil` if the name is not a valid status, which is a separate fault.
        var status: Status? { Status(rawValue: heading.name.text) }
    }

    struct Entry: Sendable {
        /// `record` for the fields of the record itself.
        let heading: Heading
        var parent: Formula.Word?
        var least = 0
        var most: Int?
        /// The nesting depth of the kind's entries, with its place in the text.
        var nested: (levels: Int, range: Range<Int>)?
        var statuses: [Formula.Word] = []
        /// The former names of the kind.
        var formerNames: [Formula.Word] = []
        /// The source of copies: `record`, or a kind of entry in an earlier record.
        var copies: String?
        var fields: [Field] = []
    }

    struct Field: Sendable {
        enum Content: Sendable {
            case text
            case number(isWhole: Bool)
            case flag
            case choice([(name: Formula.Word, label: LocalizedText)])
            case grade(Unit)
            case letter(of: Formula.Word)
            case points(outOf: Formula.Word)
        }

        enum Bound: Sendable {
            case at(Exact)
            case beyond(Exact)
        }

        let name: Formula.Word
        let label: LocalizedText?
        let content: Content
        var unit: Unit?
        /// Whether a value is required; `nil` if the field does not say so.
        var isRequired: Bool?
        var least: Bound?
        var most: Exact?
        /// Whether a grade may exceed the best one.
        var isUnlimited = false
        var initial: OutlineValue?
        var hasComma = false
        var isUnique = false
        /// Whether each student of a class has a separate value.
        var isPerStudent = false
        /// The former names of the field.
        var formerNames: [Formula.Word] = []
    }

    /// A figure or an outcome that is copied from an earlier record.
    struct Taken: Sendable {
        enum Content: Sendable {
            case figure(Unit?, shownBy: Formula.Word?)
            /// The possible values, best first; none if the outcome has no named values.
            case outcome([OutcomeValue])
        }

        let heading: Heading
        /// The kind of the copy that has it.
        let kind: Formula.Word
        let content: Content
    }

    /// Siblings that share keys.
    struct Group: Sendable {
        let heading: Heading
        let base: Formula.Word
        let keys: [Formula]
    }

    struct Abbreviation: Sendable {
        /// A parameter of a `let`.
        struct Parameter: Sendable {
            let name: Formula.Word
            /// The unit; `nil` for a plain number.
            let unit: Unit?
        }

        /// The most parameters of one `let`.
        static let mostParameters = 8

        let heading: Heading
        let parameters: [Parameter]
        let kind: Formula.Word?
        let formula: Formula
    }

    struct Figure: Sendable {
        let heading: Heading
        let kind: Formula.Word?
        let isHidden: Bool
        var unit: Unit?
        var shownBy: Formula.Word?
        var letteredBy: Formula.Word?
        var colouredBy: Formula.Word?
        var hasRange = true
        /// The names that the figure had before.
        var formerNames: [Formula.Word] = []
        let formula: Formula
    }

    struct Outcome: Sendable {
        /// What a line decides: met or unmet, and the value if the line names one.
        struct Verdict: Sendable {
            let state: Decision.State
            var value: Formula.Word?
            var label: LocalizedText?
        }

        enum Clause: Sendable {
            case awaits(Formula, otherwise: Formula.Word)
            case needs(Formula, otherwise: Formula.Word)
            case when(Formula, Verdict, because: Formula.Word?)
            /// A value that only people give.
            case byHand(Verdict)
            case otherwise(Verdict, because: Formula.Word)
        }

        let heading: Heading
        let kind: Formula.Word?
        /// The names that the outcome had before.
        var formerNames: [Formula.Word] = []
        var clauses: [Clause] = []
    }

    /// A `check` or a `warn`.
    struct Rule: Sendable {
        let kind: Formula.Word
        let condition: Formula
        let code: Formula.Word
    }

    struct Template: Sendable {
        let heading: Heading
        var entries: [OutlineEntry] = []
        var record: [OutlineAssignment] = []
    }

    struct Preset: Sendable {
        let heading: Heading
        var values: [(setting: Formula.Word, value: OutlineValue)] = []
    }

    struct Example: Sendable {
        let heading: Heading
        var template: Formula.Word?
        /// Changes of the template's entries: the way to an entry, and its new values.
        var changes: [OutlineChange] = []
        var entries: [OutlineEntry] = []
        var record: [OutlineAssignment] = []
        var expectations: [Expectation] = []
    }

    var regulation: Heading?
    var scales: [Scale] = []
    var roundings: [RoundingRule] = []
    var bands: [BandTable] = []
    var curves: [CurveTable] = []
    var tables: [Table] = []
    var settings: [Setting] = []
    var statuses: [StatusRow] = []
    var entries: [Entry] = []
    /// The values copied from earlier records other than fields; `entries` has their kinds.
    var taken: [Taken] = []
    var groups: [Group] = []
    var abbreviations: [Abbreviation] = []
    var figures: [Figure] = []
    var outcomes: [Outcome] = []
    var checks: [Rule] = []
    var warnings: [Rule] = []
    var texts: [(code: Formula.Word, text: LocalizedText)] = []
    /// The names in braces in the text of a code, and their place, by code.
    var placeholders: [String: (names: [String], range: Range<Int>)] = [:]
    var templates: [Template] = []
    var presets: [Preset] = []
    var examples: [Example] = []
}

/// A value in an outline or a setting, with its place.
struct OutlineValue: Sendable {
    enum Content: Sendable, Equatable {
        case number(Exact)
        case text(String)
        case flag(Bool)
        case word(String)
        case nothing
    }

    let content: Content
    let range: Range<Int>
}

/// `weight 15`, or `status absent`.
struct OutlineAssignment: Sendable {
    let name: Formula.Word
    let value: OutlineValue
}

/// An entry of a template or an example.
struct OutlineEntry: Sendable {
    let kind: Formula.Word
    let title: Formula.Word?
    let assignments: [OutlineAssignment]
    var children: [OutlineEntry] = []
}

/// `unit "Stage" subject "Stage" grade 7.5`: the way to an entry of a template, and its new values.
struct OutlineChange: Sendable {
    let way: [(kind: Formula.Word, title: Formula.Word)]
    let assignments: [OutlineAssignment]
}

/// An expected result of an example.
struct Expectation: Sendable {
    enum Side: Sendable { case current, floor, ceiling }

    enum Content: Sendable {
        case exactly(Exact)
        case shown(String)
        case known(Bool)
        case outcome(Decision.State, isFinal: Bool)
        case value(String, isFinal: Bool)
        case letter(String)
        case refused
    }

    let side: Side
    /// The figure or outcome; for a refusal, its code.
    let name: Formula.Word
    /// The entry by its first text, or a group by its key; `nil` for the record.
    let entry: Formula.Word?
    /// The way to `entry`, itself included: `unit "A" subject "Stage"`. Empty if only the text is given.
    var way: [(kind: Formula.Word, title: Formula.Word)] = []
    let content: Content
    let range: Range<Int>
}
