public import Cryptography
public import Shared

/// An offer of a membership, to an account or to the bearer of its token. It can be used once, within seven days.
public struct Invitation: Sendable, Equatable {
    /// The time that an invitation is valid, in seconds.
    public static let lifetime: Int64 = 7 * 86_400

    /// The identifier, which is not secret.
    public let id: String
    /// The institution of the membership.
    public let institution: InstitutionID
    /// The account that may accept it; `nil` for the bearer of its token.
    public let account: AccountID?
    /// The role offered.
    public let role: MemberRole
    /// A teacher's programs.
    public let programs: [ProgramID]
    /// The account that made it.
    public let createdBy: AccountID?
    /// The moment from which it is refused.
    public let expiresAt: Timestamp

    /// Creates an invitation.
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

/// The key that accepts an invitation.
public enum InvitationKey: Sendable, Equatable {
    /// The token of its link.
    case token(TokenDigest)
    /// The identifier of the invitation, which only the invited account may use.
    case offer(String)
}

extension InvitationKey {
    /// Creates a key from the text of a link's token; `nil` if the text is not a token.
    init?(token text: String) {
        guard let token = SecretToken(text: text) else { return nil }
        self = .token(token.digest)
    }
}
