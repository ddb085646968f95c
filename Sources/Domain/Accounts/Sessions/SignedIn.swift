public import Messages
public import Shared

/// The owner of a session that is valid now. The account's memberships say what it may do in institutions.
public struct SignedIn: Sendable, Equatable {
    /// The account, as of when it was read.
    public let acting: ActingAccount
    /// The session.
    public let session: SessionID
    /// When the session ends at the latest.
    public let expiresAt: Timestamp
    /// When the session ends if no further request comes; at most `expiresAt`.
    public let endsAt: Timestamp
    /// The enrolment that is required before anything else; `nil` if none is.
    public let enrolment: Enrolment?

    /// The identifier of the account.
    public var account: AccountID { acting.account }
    /// The role on this server.
    public var role: ServerRole? { acting.role }
    /// The language that the account's owner chose; `nil` for none.
    public var locale: Language? { acting.locale }
    /// The name that other people see.
    public var displayName: String { acting.displayName }
    /// The account's access version when the other properties were read.
    public var accessVersion: Int { acting.accessVersion }
    /// Whether the account manages this server.
    public var isAdministrator: Bool { acting.isAdministrator }

    package init(_ standing: SessionStanding, under duty: SecondFactorDuty) {
        acting = ActingAccount(standing.account, asOf: standing.accessVersion)
        session = standing.session.id
        expiresAt = standing.session.expiresAt
        endsAt = standing.session.endsAt
        enrolment = duty.enrolment(of: standing.account, showing: standing.session.factors, having: standing.factors)
    }
}
