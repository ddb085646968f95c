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
public struct Standing: Sendable {
    /// The scheme that judged.
    public let scheme: SchemeIdentifier
    /// The record's own figures.
    public let figures: [StandingFigure]
    /// What stands about entries, in tree order; entries about which nothing is computed are absent.
    public let entries: [EntryStanding]
    /// The record's own outcomes.
    public let outcomes: [StandingOutcome]
    /// What people should know, in tree order, then by code.
    public let warnings: [DecisionReason]
    /// The explanations of the record's figures, where they were asked for.
    public let traces: [(figure: String, trace: Trace)]
    let catalog: MessageCatalog

    /// One of the record's own figures.
    public func figure(_ name: String) -> StandingFigure? { figures.first { $0.name == name } }

    /// What stands about an entry.
    public func entry(_ id: EntryID) -> EntryStanding? { entries.first { $0.entry == id } }
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
