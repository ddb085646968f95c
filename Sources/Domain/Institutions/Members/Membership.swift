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
    /// What it rests on.
    public let grants: [Grant]
    /// By what the institution knows the member on paper; `nil` for nothing.
    public var studentNumber: String?

    /// A membership that people gave; programs count for teachers only.
    public init(
        institution: InstitutionID, account: AccountID, role: MemberRole, programs: [ProgramID] = [], since: Timestamp,
        origin: Grant.Origin = .hand
    ) {
        self.init(
            institution: institution, account: account,
            restingOn: Grant(origin, role: role, programs: programs, since: since), [])
    }

    /// What grants make together at a moment: the highest role, and a teacher's programs of all of them. `nil` where none
    /// holds.
    public init?(institution: InstitutionID, account: AccountID, grants: [Grant], at moment: Timestamp) {
        let grants = grants.filter { $0.holds(at: moment) }
        guard let first = grants.first else { return nil }
        self.init(institution: institution, account: account, restingOn: first, Array(grants.dropFirst()))
    }

    private init(institution: InstitutionID, account: AccountID, restingOn first: Grant, _ others: [Grant]) {
        let grants = [first] + others
        let role = others.reduce(first.role) { max($0, $1.role) }
        self.institution = institution
        self.account = account
        self.role = role
        programs = role == .teacher ? Array(Set(grants.flatMap(\.programs))).sorted() : []
        since = others.reduce(first.since) { min($0, $1.since) }
        self.grants = grants
    }

    /// What people gave of it; `nil` where rules alone grant it.
    public var given: Membership? {
        grants.first { $0.rule == nil }.map {
            Membership(institution: institution, account: account, restingOn: $0, []).numbered(studentNumber)
        }
    }

    /// The same membership with another student number.
    public func numbered(_ number: String?) -> Membership {
        var numbered = self
        numbered.studentNumber = number
        return numbered
    }

    /// When the first of its grants lapses, unless a rule renews it before; `nil` for never.
    public var until: Timestamp? { grants.compactMap(\.until).min() }

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
    /// From then on it may be less; `nil` for no such moment.
    public let until: Timestamp?

    /// What an account is.
    public init(memberships: [Membership], accessVersion: Int) {
        self.memberships = memberships
        self.accessVersion = accessVersion
        until = memberships.compactMap(\.until).min()
    }
}
