/// One figure of a standing, under each assumption.
public struct StandingFigure: Sendable {
    /// The figure's name in JSON.
    public let name: String
    /// The current value, or the reason why it is missing.
    public let current: Quantity.State
    /// The value with every ungraded leaf at its worst.
    public let floor: Quantity.State
    /// The value with every ungraded leaf at its best.
    public let ceiling: Quantity.State
    /// How the figure is shown.
    public let presentation: Presentation
    /// Who gave the value that replaces the computed one; `nil` if no person did.
    public var given: GivenNote?
    /// The computed figure, if people gave another value.
    public var computed: GivenFigure?

    /// The displayed text; empty while the figure is undefined.
    public var display: String { text(current) ?? "" }
    /// The colour or mention, if the figure has one.
    public var band: String? { presentation.band(value(current)) }

    func value(_ state: Quantity.State) -> Exact? {
        if case .value(let value) = state { value } else { nil }
    }

    func text(_ state: Quantity.State) -> String? { value(state).map { presentation.display($0) } }
}

/// A figure of a family, with the number of the entry that shows it.
struct FamilyMember: Sendable {
    let index: Int
    let figure: StandingFigure
}

/// One outcome of a standing.
public struct StandingOutcome: Sendable, Equatable {
    /// The outcome's name in JSON.
    public let name: String
    /// Its state, with reasons.
    public let decision: Decision
    /// Whether no ungraded leaf can change it any more.
    public let isFinal: Bool
    /// The named values of the outcome, best first.
    public let values: [OutcomeValue]
    /// Who gave it; `nil` if no person did.
    public var given: GivenNote?
    /// The computed decision, if a person gave the outcome; `nil` if its rule decides nothing.
    public var computed: Decision?
}

/// The standing of one entry.
public struct EntryStanding: Sendable {
    /// The entry.
    public let entry: EntryID
    /// Its figures.
    public let figures: [StandingFigure]
    /// Whether its scheme defines letters for it.
    public let isLettered: Bool
    /// The band of its lettered figure; `nil` while the figure is undefined.
    public let letter: Band?
    /// Its outcomes.
    public let outcomes: [StandingOutcome]
    /// The explanations of its figures, if requested.
    public let traces: [(figure: String, trace: Trace)]
}

/// Everything computed for one record: figures, letters, colours, outcomes and warnings.
///
/// It stores the verdicts of the runs, and assembles other values when they are read.
public struct Standing: Sendable {
    /// The scheme that computed the standing.
    public let scheme: SchemeIdentifier
    let rules: CompiledScheme
    let record: RecordBody
    let places: VerdictPlaces
    let current: [Verdict]
    let floor: [Verdict]
    let ceiling: [Verdict]
    let families: [FamilyMember]
    let decided: [(index: Int, outcome: StandingOutcome)]
    /// Warnings for people, in tree order, then by code.
    public let warnings: [DecisionReason]
    /// By place of a figure given by people, the figure that would be computed.
    var computed: [Int: GivenFigure] = [:]
    /// The explanations, if requested.
    var explanation: Explanation?
    /// By place of a figure, its presentation as determined by a scheme in another process.
    var shownAs: [Int: Presentation] = [:]
    /// The number of reads of fields and figures: a measure of the standing's cost on any machine.
    package let steps: Int

    /// The record's own figures.
    public var figures: [StandingFigure] { figures(of: 0) }

    /// The standings of the entries, in tree order; entries without computed results are left out.
    public var entries: [EntryStanding] { shownEntries.map { entry(at: $0) } }

    /// The band of the record's lettered figure; `nil` if it has none or the figure is undefined.
    public var letter: Band? { letter(of: 0) }

    /// The record's own outcomes.
    public var outcomes: [StandingOutcome] { outcomes(of: 0) }

    /// The explanations of the record's figures, if requested.
    public var traces: [(figure: String, trace: Trace)] { explanation?.traces(of: 0) ?? [] }

    /// Returns one of the record's own figures.
    public func figure(_ name: String) -> StandingFigure? { figures.first { $0.name == name } }

    /// Returns the standing of an entry; `nil` if nothing is computed for it.
    public func entry(_ id: EntryID) -> EntryStanding? {
        shownEntries.first { record.ids[$0] == id }.map { entry(at: $0) }
    }
}

/// Standings of entries by number.
extension Standing {
    var catalog: MessageCatalog { rules.catalog }

    /// The entries with computed results.
    var shownEntries: some Sequence<Int> {
        record.entryNumbers.lazy.dropFirst().filter { rules.kinds[record.nodes[$0].kind].isShown }
    }

    func kind(of index: Int) -> CompiledKind { rules.kinds[record.nodes[index].kind] }

    private func entry(at index: Int) -> EntryStanding {
        EntryStanding(
            entry: record.ids[index], figures: figures(of: index), isLettered: kind(of: index).lettered != nil,
            letter: letter(of: index), outcomes: outcomes(of: index),
            traces: explanation?.traces(of: index) ?? [])
    }

    /// Returns the figures of an entry, those of families last.
    func figures(of index: Int) -> [StandingFigure] {
        kind(of: index).shown.map { figure($0, of: index) } + members(of: index)
    }

    /// Returns the figures of families that an entry shows.
    func members(of index: Int) -> [StandingFigure] {
        families.isEmpty ? [] : families.filter { $0.index == index }.map(\.figure)
    }

    func figure(_ slot: CompiledKind.ShownFigure, of index: Int) -> StandingFigure {
        let place = places(slot.place, of: index)
        let verdict = current[place]
        let isFixed = !slot.hasRange || verdict.stage == .settled
        var figure = StandingFigure(
            name: slot.name, current: verdict.quantity.state,
            floor: isFixed ? verdict.quantity.state : floor[place].quantity.state,
            ceiling: isFixed ? verdict.quantity.state : ceiling[place].quantity.state,
            presentation: shownAs.isEmpty ? slot.presentation : shownAs[place] ?? slot.presentation)
        if !computed.isEmpty, let own = computed[place] {
            figure.given = record.givenByPeople(to: index)?.figures[slot.name]?.note
            figure.computed = own
        }
        return figure
    }

    /// Returns as text the computed values of the figures and outcomes that people gave an entry.
    func computedTexts(of index: Int) -> (figures: [String: String], outcomes: [String: String]) {
        var (figures, outcomes) = ([String: String](), [String: String]())
        for slot in kind(of: index).shown {
            if let own = computed[places(slot.place, of: index)] { figures[slot.name] = own.current.text }
        }
        for outcome in self.outcomes(of: index) where outcome.given != nil {
            outcomes[outcome.name] = outcome.computed?.word ?? ""
        }
        return (figures, outcomes)
    }

    /// Returns the band of an entry's lettered figure; `nil` while the figure is undefined.
    func letter(of index: Int) -> Band? {
        guard let slot = kind(of: index).lettered else { return nil }
        return slot.presentation.letters?.band(for: current[places(slot.place, of: index)].quantity)
    }

    func outcomes(of index: Int) -> [StandingOutcome] {
        if !kind(of: index).isDecided { return [] }
        return decided.filter { $0.index == index }.map(\.outcome)
    }
}

/// The record that a standing belongs to; absent in a calculation without a record.
public struct StandingSubject: Sendable {
    /// The record's identifier.
    public let record: String
    /// The program's identifier.
    public let program: String
    /// The program's version that judges the record.
    public let programVersion: Int

    /// Creates a subject from a record and a version of a program.
    public init(record: String, program: String, programVersion: Int) {
        self.record = record
        self.program = program
        self.programVersion = programVersion
    }
}
