public import JSON
public import Shared

/// A search for rows of the audit trails.
public struct AuditQuery: Sendable, Equatable {
    /// The trails to search.
    public enum Trail: Sendable, Equatable {
        case all
        case server
        case institution(InstitutionID)
    }

    /// The trails to search.
    public var trail: Trail
    /// The object of the action; `nil` for any.
    public var subject: String?
    /// The account that acted; `nil` for any.
    public var account: AccountID?
    /// The actions; empty for any.
    public var actions: [String]
    /// The number below which rows are returned: that of the last row of the previous page.
    public var before: Int?
    /// The maximum number of rows to return, 1…200.
    public var limit: Int

    /// Creates a search; ``PageLimit`` clamps `limit`.
    public init(
        trail: Trail = .all, subject: String? = nil, account: AccountID? = nil, actions: [String] = [],
        before: Int? = nil, limit: Int = 50
    ) {
        self.trail = trail
        self.subject = subject
        self.account = account
        self.actions = actions
        self.before = before
        self.limit = PageLimit.read(limit)
    }
}

/// A row of the audit trails with its number, which pages continue from.
public struct AuditItem: Sendable, Equatable {
    /// The number of the row; it rises over all trails.
    public let number: Int
    /// The row.
    public let entry: AuditEntry
    /// The names of its identifiers.
    public let names: AuditNames

    /// Creates an item.
    public init(number: Int, entry: AuditEntry, names: AuditNames = AuditNames()) {
        self.number = number
        self.entry = entry
        self.names = names
    }

    /// Writes the row; only administrators see the names.
    ///
    /// - Parameter subject: The account that the row is about, if it is written for that account's owner, who learns
    ///   neither who else acted nor from where.
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
