public import Messages
public import Shared

/// An account that acts, as it stood at a moment. What it may do inside institutions is said by its memberships.
public struct ActingAccount: Sendable, Equatable {
    /// Who.
    public let account: AccountID
    /// The role on this server.
    public let role: ServerRole?
    /// The language that the account's owner chose, if any.
    public let locale: Language?
    /// The name others see.
    public let displayName: String
    /// The institution in which alone a service account acts; `nil` for a person.
    public let home: InstitutionID?
    /// What a service account may be used for at all; `nil` for a person.
    public let scopes: Set<Scope>?
    /// The access version of the account when the other members were read.
    public let accessVersion: Int

    /// Whether the account manages this server.
    public var isAdministrator: Bool { role == .administrator }

    init(_ account: Account, asOf accessVersion: Int) {
        self.account = account.id
        role = account.role
        locale = account.profile.locale
        displayName = account.profile.displayName
        home = account.service?.institution
        scopes = account.service?.scopes
        self.accessVersion = accessVersion
    }
}
