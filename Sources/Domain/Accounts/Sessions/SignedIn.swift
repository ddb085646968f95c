public import Messages
public import Shared

/// The owner of a session that holds at this moment. What the account may do inside institutions is said by its
/// memberships.
public struct SignedIn: Sendable, Equatable {
    /// The account, as it stands.
    public let acting: ActingAccount
    /// By which sign-in.
    public let session: SessionID
    /// When the session ends, whatever happens.
    public let expiresAt: Timestamp
    /// What the owner has to do before anything else; `nil` for nothing.
    public let enrolment: Enrolment?

    /// Who.
    public var account: AccountID { acting.account }
    /// The role on this server.
    public var role: ServerRole? { acting.role }
    /// The language that the account's owner chose, if any.
    public var locale: Language? { acting.locale }
    /// The name others see.
    public var displayName: String { acting.displayName }
    /// The access version of the account when the other members were read.
    public var accessVersion: Int { acting.accessVersion }
    /// Whether the account manages this server.
    public var isAdministrator: Bool { acting.isAdministrator }

    init(_ standing: SessionStanding, under duty: SecondFactorDuty) {
        acting = ActingAccount(standing.account, asOf: standing.accessVersion)
        session = standing.session.id
        expiresAt = standing.session.expiresAt
        enrolment = duty.enrolment(of: standing.account, showing: standing.session.factors, having: standing.factors)
    }
}
