/// One figure as it stands, under each assumption.
public struct StandingFigure: Sendable {
    /// The figure's name on the wire.
    public let name: String
    /// The current value, or why there is none.
    public let current: Quantity.State
    /// The value with every ungraded leaf at its least.
    public let floor: Quantity.State
    /// The value with every ungraded leaf at its best.
    public let ceiling: Quantity.State
    /// How it is shown.
    public let presentation: Presentation
    /// Who gave it in the place of what is computed, where people did.
    public var given: Given?
    /// What would be computed, where people gave another value.
    public var computed: GivenFigure?

    /// The text that is shown; empty while the figure is undefined.
    public var display: String { text(current) ?? "" }
    /// The colour or mention, where the figure has one.
    public var band: String? { presentation.band(value(current)) }

    func value(_ state: Quantity.State) -> Exact? {
        if case .value(let value) = state { value } else { nil }
    }

    func text(_ state: Quantity.State) -> String? { value(state).map { presentation.display($0) } }
}

/// One outcome as it stands.
public struct StandingOutcome: Sendable, Equatable {
    /// The outcome's name on the wire.
    public let name: String
    /// How it stands, and why.
    public let decision: Decision
    /// Whether nothing that is still ungraded can change it.
    public let isFinal: Bool
}

/// What stands about one entry.
public struct EntryStanding: Sendable {
    /// The entry.
    public let entry: EntryID
    /// Its figures.
    public let figures: [StandingFigure]
    /// Whether its scheme gives it a letter at all.
    public let isLettered: Bool
    /// The band of its lettered figure; `nil` while that is undefined.
    public let letter: Band?
    /// Its outcomes.
    public let outcomes: [StandingOutcome]
    /// The explanations of its figures, where they were asked for.
    public let traces: [(figure: String, trace: Trace)]
}

/// Everything computed for one record: figures, letters, colours, outcomes and warnings.
///
/// It holds the verdicts as the runs left them; what is asked for is put together when it is asked for.
public struct Standing: Sendable {
    /// The scheme that judged.
    public let scheme: SchemeIdentifier
    let rules: CompiledScheme
    let record: RecordBody
    let places: VerdictPlaces
    let current: [Verdict]
    let floor: [Verdict]
    let ceiling: [Verdict]
    let families: [StandingFigure]
    let decided: [(index: Int, outcome: StandingOutcome)]
    /// What people should know, in tree order, then by code.
    public let warnings: [DecisionReason]
    /// By the place of a figure that people gave, what would be computed.
    var computed: [Int: GivenFigure] = [:]
    /// The explanations, where they were asked for.
    var explanation: Explanation?
    /// By the place of a figure, how its scheme would have it shown, where the scheme itself is not here to say so.
    var shownAs: [Int: Presentation] = [:]
    /// How often a field or a figure was asked for: what the standing costs, on any machine.
    package let steps: Int

    /// The record's own figures.
    public var figures: [StandingFigure] { figures(of: 0) + families }

    /// What stands about entries, in tree order; entries about which nothing is computed are absent.
    public var entries: [EntryStanding] { shownEntries.map { entry(at: $0) } }

    /// The band of the record's lettered figure; `nil` where it has none or that is undefined.
    public var letter: Band? { letter(of: 0) }

    /// The record's own outcomes.
    public var outcomes: [StandingOutcome] { outcomes(of: 0) }

    /// The explanations of the record's figures, where they were asked for.
    public var traces: [(figure: String, trace: Trace)] { explanation?.traces(of: 0) ?? [] }

    /// One of the record's own figures.
    public func figure(_ name: String) -> StandingFigure? { figures.first { $0.name == name } }

    /// What stands about an entry.
    public func entry(_ id: EntryID) -> EntryStanding? {
        shownEntries.first { record.ids[$0] == id }.map { entry(at: $0) }
    }
}

/// What stands about an entry, by its number.
extension Standing {
    var catalog: MessageCatalog { rules.catalog }

    /// The entries about which something is computed.
    var shownEntries: some Sequence<Int> {
        record.nodes.indices.lazy.dropFirst().filter { rules.kinds[record.nodes[$0].kind].isShown }
    }

    func kind(of index: Int) -> CompiledKind { rules.kinds[record.nodes[index].kind] }

    private func entry(at index: Int) -> EntryStanding {
        EntryStanding(
            entry: record.ids[index], figures: figures(of: index), isLettered: kind(of: index).lettered != nil,
            letter: letter(of: index), outcomes: outcomes(of: index),
            traces: explanation?.traces(of: index) ?? [])
    }

    private func figures(of index: Int) -> [StandingFigure] {
        kind(of: index).shown.map { figure($0, of: index) }
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
            figure.given = record.given(to: index)
            figure.computed = own
        }
        return figure
    }

    /// The band of an entry's lettered figure; `nil` while that is undefined.
    func letter(of index: Int) -> Band? {
        guard let slot = kind(of: index).lettered else { return nil }
        return slot.presentation.letters?.band(for: current[places(slot.place, of: index)].quantity)
    }

    func outcomes(of index: Int) -> [StandingOutcome] {
        if kind(of: index).outcomes.isEmpty { return [] }
        return decided.filter { $0.index == index }.map(\.outcome)
    }
}

/// Whose standing it is: what a calculation without a record leaves out.
public struct StandingSubject: Sendable {
    /// The record's identifier.
    public let record: String
    /// The program's identifier.
    public let program: String
    /// The program's version by which the record is judged.
    public let programVersion: Int

    /// A record in a version of a program.
    public init(record: String, program: String, programVersion: Int) {
        self.record = record
        self.program = program
        self.programVersion = programVersion
    }
}
