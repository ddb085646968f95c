/// A standing of an entry that is not simply "graded".
public enum Status: String, Sendable, CaseIterable {
    /// Freed from it: counts nowhere.
    case excused
    /// Attended without credit: counts nowhere.
    case audit
    /// Missed: the least grade.
    case absent
    /// Not decided yet: skipped, and whatever depends on it is pending.
    case pending
    /// Left: attempted, but in no average.
    case withdrawn
    /// Earned elsewhere: credit without a grade.
    case transfer
    /// Replaced by another attempt. Set by the rule for repeats, never by hand.
    case superseded
}

/// What an entry of one status counts for.
public struct StatusRule: Sendable, Equatable {
    /// How it enters averages.
    public enum Average: String, Sendable, CaseIterable {
        /// As graded.
        case counts
        /// As the least grade.
        case minimum
        /// Skipped, like an ungraded leaf, and what depends on it is pending.
        case pending
        /// Not at all.
        case leaves
    }

    /// How it enters averages.
    public var average: Average
    /// Whether its credits were attempted.
    public var attempted: Bool
    /// Whether its credits are earned (for a graded one: if it passed).
    public var earned: Bool
    /// Whether it enters the GPA.
    public var inGPA: Bool

    /// A rule.
    public init(average: Average, attempted: Bool, earned: Bool, inGPA: Bool) {
        self.average = average
        self.attempted = attempted
        self.earned = earned
        self.inGPA = inGPA
    }
}

/// What each status counts for; an entry without status is `graded`.
public struct StatusTable: Sendable, Equatable {
    private var rules: [Status: StatusRule]

    /// The rule of an entry without status.
    public static let graded = StatusRule(average: .counts, attempted: true, earned: true, inGPA: true)

    /// The table that institutions start from.
    public static let standard = StatusTable(rules: [
        .excused: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
        .audit: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
        .absent: StatusRule(average: .minimum, attempted: true, earned: false, inGPA: true),
        .pending: StatusRule(average: .pending, attempted: true, earned: false, inGPA: false),
        .withdrawn: StatusRule(average: .leaves, attempted: true, earned: false, inGPA: false),
        .transfer: StatusRule(average: .leaves, attempted: false, earned: true, inGPA: false),
        .superseded: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
    ])

    /// The rule for a status, or for none.
    public subscript(status: Status?) -> StatusRule {
        get {
            guard let status else { return Self.graded }
            return rules[status] ?? Self.graded
        }
        set { if let status { rules[status] = newValue } }
    }
}
