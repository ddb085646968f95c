public import Messages
public import Shared

/// The owner of a session that holds at this moment. What the account may do inside institutions is said by its
/// memberships.
public struct SignedIn: Sendable, Equatable {
    /// Who.
    public let account: AccountID
    /// By which sign-in.
    public let session: SessionID
    /// When the session ends, whatever happens.
    public let expiresAt: Timestamp
    /// The role on this server.
    public let role: ServerRole?
    /// The language that the account's owner chose, if any.
    public let locale: Language?
    /// The name others see.
    public let displayName: String
    /// The access version of the account when the other members were read.
    public let accessVersion: Int
    /// What the owner has to do before anything else; `nil` for nothing.
    public let enrolment: Enrolment?

    /// Whether the account manages this server.
    public var isAdministrator: Bool { role == .administrator }

    init(_ standing: SessionStanding, under duty: SecondFactorDuty) {
        self.init(
            standing.session.id, until: standing.session.expiresAt, of: standing.account,
            asOf: standing.accessVersion, enrolment: duty.enrolment(in: standing))
    }

    /// The same sign-in, with the account as it stands now.
    init(_ owner: SignedIn, as account: Account, asOf accessVersion: Int) {
        self.init(
            owner.session, until: owner.expiresAt, of: account, asOf: accessVersion, enrolment: owner.enrolment)
    }

    private init(
        _ session: SessionID, until end: Timestamp, of account: Account, asOf accessVersion: Int,
        enrolment: Enrolment?
    ) {
        self.account = account.id
        self.session = session
        expiresAt = end
        role = account.role
        locale = account.profile.locale
        displayName = account.profile.displayName
        self.accessVersion = accessVersion
        self.enrolment = enrolment
    }
}
