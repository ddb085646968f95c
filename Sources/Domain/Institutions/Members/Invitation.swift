public import Cryptography
public import Shared

/// An offer to become a member, made out to an account or to the bearer of its token; used once, within seven days.
public struct Invitation: Sendable, Equatable {
    /// Seconds an invitation holds.
    public static let lifetime: Int64 = 7 * 86_400

    /// Names the invitation; not a secret.
    public let id: String
    /// Where.
    public let institution: InstitutionID
    /// Who may accept it; `nil` for the bearer of its token.
    public let account: AccountID?
    /// As what.
    public let role: MemberRole
    /// A teacher's programs.
    public let programs: [ProgramID]
    /// Who made it.
    public let createdBy: AccountID?
    /// From then on it is refused.
    public let expiresAt: Timestamp

    /// An invitation.
    public init(
        id: String, institution: InstitutionID, account: AccountID? = nil, role: MemberRole, programs: [ProgramID],
        createdBy: AccountID?, expiresAt: Timestamp
    ) {
        self.id = id
        self.institution = institution
        self.account = account
        self.role = role
        self.programs = programs
        self.createdBy = createdBy
        self.expiresAt = expiresAt
    }
}

/// By what an invitation is accepted.
public enum InvitationKey: Sendable, Equatable {
    /// The token of its link.
    case token(TokenDigest)
    /// Its identifier, by the account to which it is made out.
    case offer(String)
}

extension InvitationKey {
    /// The text of a link's token; `nil` for text that is none.
    init?(token text: String) {
        guard let token = SecretToken(text: text) else { return nil }
        self = .token(token.digest)
    }
}
