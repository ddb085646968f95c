package import Messages
public import Shared

/// An account at the moment of a change, with what the rules of the change need to know.
public struct AccountSituation: Sendable {
    /// The account before the change.
    public let account: Account
    /// How the other enabled administrators can sign in, of an account that is one itself; of any other none are listed.
    public let otherAdministrators: [WaysIn]

    /// A situation.
    public init(account: Account, otherAdministrators: [WaysIn]) {
        self.account = account
        self.otherAdministrators = otherAdministrators
    }
}

/// A change of an account; it is stored whole, with its audit row, or not at all.
public struct AccountChange: Sendable {
    /// The account after the change.
    public let account: Account
    /// Whether the change ends all its sessions.
    public let endsSessions: Bool
    /// The audit row.
    public let audit: AuditEntry

    /// Creates a change.
    public init(account: Account, endsSessions: Bool, audit: AuditEntry) {
        self.account = account
        self.endsSessions = endsSessions
        self.audit = audit
    }
}

extension AccountSituation {
    /// Throws when the account is the only administrator who can sign in.
    package func checkAdministratorStays(through ways: OpenWays) throws(FaultList) {
        guard account.role == .administrator, !account.isDisabled,
            !otherAdministrators.contains(where: { ways.open($0) })
        else { return }
        throw FaultList([Fault(.lastAdministrator)])
    }
}
