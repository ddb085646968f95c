public import Messages
public import Shared

/// The account that makes a request, as of one moment. Its memberships say what it may do in institutions.
public struct ActingAccount: Sendable, Equatable {
    /// The identifier of the account.
    public let account: AccountID
    /// The role on this server.
    public let role: ServerRole?
    /// The language that the account's owner chose; `nil` for none.
    public let locale: Language?
    /// The name that other people see.
    public let displayName: String
    /// The only institution in which a service account acts; `nil` for a person.
    public let home: InstitutionID?
    /// The scopes that a service account may use at most; `nil` for a person.
    public let scopes: Set<Scope>?
    /// The account's access version when the other properties were read.
    public let accessVersion: Int

    /// Whether the account manages this server.
    public var isAdministrator: Bool { role == .administrator }

    package init(_ account: Account, asOf accessVersion: Int) {
        self.account = account.id
        role = account.role
        locale = account.profile.locale
        displayName = account.profile.displayName
        home = account.service?.institution
        scopes = account.service?.scopes
        self.accessVersion = accessVersion
    }
}
