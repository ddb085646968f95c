public import Storage

/// What an account is in an institution.
public enum MemberRole: String, Sendable, CaseIterable {
    /// Runs the institution: programs, members, all records.
    case registrar
    /// Keeps the records of some programs.
    case teacher
    /// Has records.
    case student

    /// Whether the role sees other people's records.
    public var isStaff: Bool { self != .student }
}

/// An account's place in an institution; at most one in each.
public struct Membership: Sendable, Equatable {
    /// Where.
    public let institution: InstitutionID
    /// Who.
    public let account: AccountID
    /// As what.
    public let role: MemberRole
    /// The programs a teacher keeps the records of, in order; empty for other roles.
    public let programs: [ProgramID]
    /// Since when.
    public let since: Instant

    /// A membership; programs count for teachers only.
    public init(
        institution: InstitutionID, account: AccountID, role: MemberRole, programs: [ProgramID] = [], since: Instant
    ) {
        self.institution = institution
        self.account = account
        self.role = role
        self.programs = role == .teacher ? Array(Set(programs)).sorted() : []
        self.since = since
    }

    /// Whether the member sees and keeps other people's records in the program.
    public func keepsRecords(of program: ProgramID) -> Bool {
        switch role {
        case .registrar: true
        case .teacher: programs.contains(program)
        case .student: false
        }
    }
}

/// A membership with the names others see.
public struct Member: Sendable, Equatable {
    /// The membership.
    public let membership: Membership
    /// The account's login.
    public let login: String
    /// The name others see.
    public let displayName: String

    /// A member.
    public init(membership: Membership, login: String, displayName: String) {
        self.membership = membership
        self.login = login
        self.displayName = displayName
    }
}

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
