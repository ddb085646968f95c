/// The standing of an entry that is not simply graded.
public enum Status: String, Sendable, CaseIterable {
    /// Exempted: counts nowhere.
    case excused
    /// Attended without credit: counts nowhere.
    case audit
    /// Missed: counts as the worst grade.
    case absent
    /// Not decided yet: skipped, and results that depend on it are pending.
    case pending
    /// Withdrawn: attempted, but part of no average.
    case withdrawn
    /// Earned elsewhere: credits without a grade.
    case transfer
    /// Replaced by another attempt. The rule for repeats sets it, never a person.
    case superseded
}

/// What an entry of one status counts for.
public struct StatusRule: Sendable, Equatable {
    /// How an entry enters averages.
    public enum Average: String, Sendable, CaseIterable {
        /// With its grade.
        case counts
        /// With the worst grade.
        case minimum
        /// Skipped, like an ungraded leaf, and results that depend on it are pending.
        case pending
        /// Not at all.
        case leaves
    }

    /// How it enters averages.
    public var average: Average
    /// Whether its credits count as attempted.
    public var attempted: Bool
    /// Whether its credits count as earned; for a graded entry, only if it passed.
    public var earned: Bool
    /// Whether it enters the GPA.
    public var inGPA: Bool

    /// Creates a rule.
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

    /// The default table of institutions.
    public static let standard = StatusTable(rules: [
        .excused: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
        .audit: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
        .absent: StatusRule(average: .minimum, attempted: true, earned: false, inGPA: true),
        .pending: StatusRule(average: .pending, attempted: true, earned: false, inGPA: false),
        .withdrawn: StatusRule(average: .leaves, attempted: true, earned: false, inGPA: false),
        .transfer: StatusRule(average: .leaves, attempted: false, earned: true, inGPA: false),
        .superseded: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
    ])

    /// The rule for a status; with `nil`, for an entry without status.
    public subscript(status: Status?) -> StatusRule {
        get {
            guard let status else { return Self.graded }
            return rules[status] ?? Self.graded
        }
        set { if let status { rules[status] = newValue } }
    }
}
