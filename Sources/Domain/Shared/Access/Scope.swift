/// What a token may be used for. Its owner's rights of the moment limit it further.
public enum Scope: String, Sendable, CaseIterable {
    /// The owner's own account and memberships.
    case profileRead = "profile:read"
    /// Records, standings, history and cohorts, and their live topics.
    case recordsRead = "records:read"
    /// Changes of one record.
    case recordsWrite = "records:write"
    /// Results of many records at once, and their release.
    case resultsWrite = "results:write"
    /// Institutions' members and invitations.
    case rosterRead = "roster:read"
    /// Memberships of students.
    case rosterWrite = "roster:write"
    /// Institutions and programs, and their live topics.
    case programsRead = "programs:read"
    /// Drafts of programs and their rehearsals; never publishing.
    case programsWrite = "programs:write"
    /// The audit trails.
    case auditRead = "audit:read"
    /// Copies of the whole store.
    case backup

    /// Whether a token with it belongs to an administrator and works from listed addresses alone.
    public var isGuarded: Bool { self == .backup }
}

extension Scope: Comparable {
    /// The order of their names.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
