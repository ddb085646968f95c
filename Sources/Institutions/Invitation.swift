public import Storage

/// An offer to become a member, made out to whoever bears its token; used once, within seven days.
public struct Invitation: Sendable, Equatable {
    /// Seconds an invitation holds.
    public static let lifetime: Int64 = 7 * 86_400

    /// Names the invitation; not a secret.
    public let id: String
    /// Where.
    public let institution: InstitutionID
    /// As what.
    public let role: MemberRole
    /// A teacher's programs.
    public let programs: [ProgramID]
    /// Who made it.
    public let createdBy: AccountID?
    /// From then on it is refused.
    public let expiresAt: Instant

    /// An invitation.
    public init(
        id: String, institution: InstitutionID, role: MemberRole, programs: [ProgramID], createdBy: AccountID?,
        expiresAt: Instant
    ) {
        self.id = id
        self.institution = institution
        self.role = role
        self.programs = programs
        self.createdBy = createdBy
        self.expiresAt = expiresAt
    }
}
