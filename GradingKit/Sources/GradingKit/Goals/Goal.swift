/// A question about open grades: what must they be for a figure or an outcome to be reached?
public struct Goal: Sendable, Equatable {
    /// The target of a goal.
    public enum Target: Sendable, Equatable {
        /// The figure reaches a number, compared as the figure is judged.
        case value(Exact)
        /// The figure reaches the given label of its scale, or number; an outcome is `met`.
        case named(String)
    }

    /// A grade to solve for.
    public struct Unknown: Sendable, Hashable {
        /// The entry that has the grade.
        public let entry: EntryID
        /// The field of the grade; `nil` for any that the scheme reads, and for an empty category or unit.
        public let field: String?

        /// Creates an unknown.
        public init(entry: EntryID, field: String? = nil) {
            self.entry = entry
            self.field = field
        }
    }

    /// The entry of the figure or outcome; `nil` for the record.
    public let entry: EntryID?
    /// The name of the figure or outcome.
    public let figure: String
    /// The target to reach.
    public let target: Target
    /// The grades to solve for; `nil` for every ungraded one under `entry` that counts in the figure. Naming a recorded
    /// grade makes it open.
    public let unknowns: [Unknown]?
    /// The distance between neighbouring grades, above 0; `nil` for each grade's own.
    public let grid: Exact?

    /// The greatest number of unknowns in a goal: two for each entry of a record.
    static let greatestUnknownCount = 2 * RecordShape.greatestEntryCount

    /// Creates a goal.
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
    /// An unknown that cannot affect the goal's figure or outcome.
    static let notAnUnknown: FaultCode = "not_an_unknown"
    /// A goal whose search would take too long.
    public static let goalTooLarge: FaultCode = "goal_too_large"
}

/// The answer to a goal.
public struct GoalAnswer: Sendable {
    /// Whether the goal can be reached.
    public enum Status: String, Sendable {
        /// Reachable with the given inputs.
        case reachable
        /// Reached even with every unknown at its worst grade.
        case alreadySecured = "already_secured"
        /// Not reached even with every unknown at its best grade.
        case outOfReach = "out_of_reach"
    }

    /// A required grade.
    public struct Input: Sendable, Equatable {
        /// The place of the grade.
        public let leaf: Leaf
        /// The lowest grade that suffices, in the grade's own unit; for a letter, its points.
        public let value: Exact
        /// The letter, if the grade is one.
        public var letter: String?
    }

    /// The goal's figure or outcome for given values of the unknowns.
    public enum Outlook: Sendable {
        /// A figure without range, because every unknown has a value.
        case figure(StandingFigure)
        /// An outcome.
        case outcome(Decision)
    }

    /// Whether the goal can be reached.
    public let status: Status
    /// The required grades, in tree order; empty unless the goal is `reachable`.
    public let inputs: [Input]
    /// The result: with the inputs if the goal is `reachable`, otherwise with every unknown at its worst or best grade,
    /// depending on the status.
    public let reached: Outlook
    /// The result with every unknown at its best grade.
    public let ceiling: Outlook
    /// How far the current figure lies above the bound of its band; `nil` if there is no band or no figure yet, and in
    /// the last band, which cannot be lost.
    public let buffer: Exact?
    let catalog: MessageCatalog
}
