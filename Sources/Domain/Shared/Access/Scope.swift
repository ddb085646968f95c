/// A scope of a token. The current rights of the token's owner limit it further.
public enum Scope: String, Sendable, CaseIterable {
    /// The owner's own account and memberships.
    case profileRead = "profile:read"
    /// Records, standings, history and cohorts, and their live topics.
    case recordsRead = "records:read"
    /// Changes of single records.
    case recordsWrite = "records:write"
    /// Classes with their rows, grids and ledgers, and their live topics.
    case classesRead = "classes:read"
    /// Changes of classes and entering results in them, but not closing them.
    case classesWrite = "classes:write"
    /// Giving figures and outcomes of records beside the computed ones, with a reason.
    case givenWrite = "given:write"
    /// Entering and releasing the results of many records at once.
    case resultsWrite = "results:write"
    /// Reading institutions' members and invitations.
    case rosterRead = "roster:read"
    /// Changing the memberships of students, and their enrolments in classes.
    case rosterWrite = "roster:write"
    /// Institutions and programs, and their live topics.
    case programsRead = "programs:read"
    /// Editing and rehearsing the drafts of programs, but not publishing them.
    case programsWrite = "programs:write"
    /// The audit trails.
    case auditRead = "audit:read"
    /// The metrics of the server.
    case metrics
    /// Copies of the whole store.
    case backup

    /// Whether only an administrator may give it to a token, which then works only from listed addresses.
    public var isGuarded: Bool { self == .backup || self == .metrics }
}

extension Scope: Comparable {
    /// Orders scopes by name.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
