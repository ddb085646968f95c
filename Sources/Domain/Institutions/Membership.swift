public import Shared

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

extension MemberRole: Comparable {
    private var rank: Int {
        switch self {
        case .student: 0
        case .teacher: 1
        case .registrar: 2
        }
    }

    /// A role is greater when it can do more.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
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
    public let since: Timestamp

    /// A membership; programs count for teachers only.
    public init(
        institution: InstitutionID, account: AccountID, role: MemberRole, programs: [ProgramID] = [], since: Timestamp
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

/// What an account is in all institutions.
public struct AccountPlaces: Sendable, Equatable {
    /// Its memberships, in the order of their institutions.
    public let memberships: [Membership]
    /// The account's access version as of which it has them.
    public let accessVersion: Int

    /// What an account is.
    public init(memberships: [Membership], accessVersion: Int) {
        self.memberships = memberships
        self.accessVersion = accessVersion
    }
}
