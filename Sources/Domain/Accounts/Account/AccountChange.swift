public import Shared

/// An account and what is true around it at the moment of a change.
public struct AccountSituation: Sendable {
    /// The account as it stands.
    public let account: Account
    /// How the other enabled administrators can sign in, of an account that is one itself; of any other none are listed.
    public let otherAdministrators: [WaysIn]

    /// A situation.
    public init(account: Account, otherAdministrators: [WaysIn]) {
        self.account = account
        self.otherAdministrators = otherAdministrators
    }
}

/// What one change makes of an account; stored whole, with its audit row, or not at all.
public struct AccountChange: Sendable {
    /// The account from now on.
    public let account: Account
    /// Whether all its sessions end.
    public let endsSessions: Bool
    /// The audit row.
    public let audit: AuditEntry

    /// A change.
    public init(account: Account, endsSessions: Bool, audit: AuditEntry) {
        self.account = account
        self.endsSessions = endsSessions
        self.audit = audit
    }
}
