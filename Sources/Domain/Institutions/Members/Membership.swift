public import Shared

/// The role of an account in an institution.
public enum MemberRole: String, Sendable, CaseIterable {
    /// Runs the institution: its programs, its members and all records.
    case registrar
    /// Keeps the records of some programs.
    case teacher
    /// Has records.
    case student

    /// Whether the role may see other people's records.
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

    /// Compares roles: the greater one has more rights.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// An account's membership in an institution; an account has at most one in each.
public struct Membership: Sendable, Equatable {
    /// The institution.
    public let institution: InstitutionID
    /// The account.
    public let account: AccountID
    /// The role.
    public let role: MemberRole
    /// The programs whose records a teacher keeps, sorted; empty for other roles.
    public let programs: [ProgramID]
    /// When the membership began.
    public let since: Timestamp
    /// The grants that it results from.
    public let grants: [Grant]
    /// The number that identifies the member in the institution's own papers; `nil` if it has none.
    public var studentNumber: String?

    /// Creates a membership that people gave; `programs` is ignored unless the role is teacher.
    public init(
        institution: InstitutionID, account: AccountID, role: MemberRole, programs: [ProgramID] = [], since: Timestamp,
        origin: Grant.Origin = .hand
    ) {
        self.init(
            institution: institution, account: account,
            restingOn: Grant(origin, role: role, programs: programs, since: since), [])
    }

    /// Creates the membership that several grants give at a moment: the highest role, with the programs of all of them
    /// for a teacher; `nil` if no grant holds.
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

    /// The part of the membership that people gave; `nil` if only rules grant it.
    public var given: Membership? {
        grants.first { $0.rule == nil }.map {
            Membership(institution: institution, account: account, restingOn: $0, []).numbered(studentNumber)
        }
    }

    /// Returns the same membership with another student number.
    public func numbered(_ number: String?) -> Membership {
        var numbered = self
        numbered.studentNumber = number
        return numbered
    }

    /// When the first of its grants lapses unless a rule renews it; `nil` for never.
    public var until: Timestamp? { grants.compactMap(\.until).min() }

    /// Returns whether the member may see and edit other people's records in the program.
    public func keepsRecords(of program: ProgramID) -> Bool {
        switch role {
        case .registrar: true
        case .teacher: programs.contains(program)
        case .student: false
        }
    }
}

/// An account's memberships in all institutions.
public struct AccountPlaces: Sendable, Equatable {
    /// The memberships, ordered by institution.
    public let memberships: [Membership]
    /// The account's access version at which it has them.
    public let accessVersion: Int
    /// The moment from which the rights may be fewer; `nil` if there is none.
    public let until: Timestamp?

    /// Creates the memberships of an account.
    public init(memberships: [Membership], accessVersion: Int) {
        self.memberships = memberships
        self.accessVersion = accessVersion
        until = memberships.compactMap(\.until).min()
    }
}
