/// A question about what is still open: what must the unknown grades be for a figure or an outcome to come about?
public struct Goal: Sendable, Equatable {
    /// What is to come about.
    public enum Target: Sendable, Equatable {
        /// The figure reaches a number, judged as the figure is judged.
        case value(Exact)
        /// The figure reaches what is written: a label of its scale, or a number; an outcome is `met`.
        case named(String)
    }

    /// A grade to be found.
    public struct Unknown: Sendable, Hashable {
        /// The entry in which it stands.
        public let entry: EntryID
        /// Its field; `nil` for whichever the scheme asks for, and for an empty category or unit.
        public let field: String?

        /// A grade to be found.
        public init(entry: EntryID, field: String? = nil) {
            self.entry = entry
            self.field = field
        }
    }

    /// The entry whose figure or outcome is looked at; `nil` for the record.
    public let entry: EntryID?
    /// The name of the figure or outcome.
    public let figure: String
    /// What is to come about.
    public let target: Target
    /// The grades to be found; `nil` for every ungraded one under `entry` that counts in the figure. A grade that is
    /// recorded is open when named.
    public let unknowns: [Unknown]?
    /// The distance of two grades that can be given, above 0; `nil` for that of each grade itself.
    public let grid: Exact?

    /// The most unknowns that a goal names: each entry of a record, twice.
    static let greatestUnknownCount = 2 * RecordShape.greatestEntryCount

    /// A goal.
    public init(
        _ figure: String, of entry: EntryID? = nil, reaches target: Target, unknowns: [Unknown]? = nil,
        grid: Exact? = nil
    ) {
        self.entry = entry
        self.figure = figure
        self.target = target
        self.unknowns = unknowns
        self.grid = grid
    }
}

extension FaultCode {
    /// Something named as unknown that cannot change what the goal is about.
    static let notAnUnknown: FaultCode = "not_an_unknown"
    /// A goal whose search would take too long.
    public static let goalTooLarge: FaultCode = "goal_too_large"
}

/// What a goal needs.
public struct GoalAnswer: Sendable {
    /// Whether the goal can be reached.
    public enum Status: String, Sendable {
        /// By the inputs given.
        case reachable
        /// With every unknown at its least.
        case alreadySecured = "already_secured"
        /// Not even with every unknown at its best.
        case outOfReach = "out_of_reach"
    }

    /// A grade that is needed.
    public struct Input: Sendable, Equatable {
        /// Where it is given.
        public let leaf: Leaf
        /// The least that works, in the unit of the grade itself.
        public let value: Exact
    }

    /// What the goal is about, under some values of the unknowns.
    public enum Outlook: Sendable {
        /// A figure without range: every unknown has a value.
        case figure(StandingFigure)
        /// An outcome.
        case outcome(Decision)
    }

    /// Whether the goal can be reached.
    public let status: Status
    /// The grades that are needed, in tree order; empty unless the goal is `reachable`.
    public let inputs: [Input]
    /// What is reached: with the inputs, or else with every unknown at its least or at its best, as the status says.
    public let reached: Outlook
    /// What is reached with every unknown at its best.
    public let ceiling: Outlook
    /// How far the current figure lies above the bound of its band; `nil` where there is no band or no figure yet.
    public let buffer: Exact?
    let catalog: MessageCatalog
}
