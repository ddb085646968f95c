public import JSON
public import Shared

/// Which lines of the audit trails are wanted.
public struct AuditQuery: Sendable, Equatable {
    /// Whose trail.
    public enum Trail: Sendable, Equatable {
        case all
        case server
        case institution(InstitutionID)
    }

    /// Whose trail.
    public var trail: Trail
    /// What it was done to; `nil` for anything.
    public var subject: String?
    /// Who did it; `nil` for anybody.
    public var account: AccountID?
    /// What was done; empty for anything.
    public var actions: [String]
    /// Lines before this number only: the last one of the page before.
    public var before: Int?
    /// The most to answer, 1…200.
    public var limit: Int

    /// A search.
    public init(
        trail: Trail = .all, subject: String? = nil, account: AccountID? = nil, actions: [String] = [],
        before: Int? = nil, limit: Int = 50
    ) {
        self.trail = trail
        self.subject = subject
        self.account = account
        self.actions = actions
        self.before = before
        self.limit = min(max(limit, 1), 200)
    }
}

/// A line of the audit trails with its number, by which pages go on.
public struct AuditItem: Sendable, Equatable {
    /// Rises over all trails.
    public let number: Int
    /// What was done.
    public let entry: AuditEntry
    /// What its identifiers are called.
    public let names: AuditNames

    /// A line.
    public init(number: Int, entry: AuditEntry, names: AuditNames = AuditNames()) {
        self.number = number
        self.entry = entry
        self.names = names
    }

    /// Writes the line; its names are for administrators alone.
    ///
    /// - Parameter subject: the account about which the line is, when it is written for that account's owner, who does
    ///   not learn who else acted, nor from where.
    public func write(to writer: inout JSONWriter, withNames showsNames: Bool = false, for subject: AccountID? = nil) {
        let showsActor = subject == nil || subject == entry.account
        writer.object {
            $0.member("id", number)
            $0.member("at", entry.at.description)
            $0.member("institution", entry.institution?.text)
            $0.member("by", showsActor ? entry.account?.text : nil)
            $0.member("source", showsActor ? entry.source : nil)
            $0.member("action", entry.action)
            $0.member("subject", entry.subject)
            $0.member("detail") { writer in
                if let detail = entry.detail { writer.raw(detail) } else { writer.null() }
            }
            if showsNames { $0.member("names", names.json) }
        }
    }
}
