public import Shared

/// A group taught together in one program, without its structure and its students.
public struct ClassHead: Sendable, Equatable {
    /// The stage of a class.
    public enum State: String, Sendable, CaseIterable {
        /// In preparation: students do not see it.
        case draft
        /// In progress.
        case open
        /// Over: its rows do not change any more.
        case closed
    }

    /// The class.
    public let id: ClassID
    /// The institution.
    public let institution: InstitutionID
    /// The program whose rules apply.
    public let program: ProgramID
    /// The title for people.
    public var title: String
    /// The stage of the class.
    public var state: State
    /// Whether students see the results of new lines only after they are posted.
    public var isPostedByHand: Bool
    /// The year or term of the class; `nil` for none.
    public var term: TermID?
    /// When it was made.
    public let createdAt: Timestamp

    /// A class's head.
    public init(
        id: ClassID, institution: InstitutionID, program: ProgramID, title: String, state: State = .open,
        isPostedByHand: Bool = false, term: TermID? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.institution = institution
        self.program = program
        self.title = title
        self.state = state
        self.isPostedByHand = isPostedByHand
        self.term = term
        self.createdAt = createdAt
    }
}

/// What a member of an institution may do in a class.
public enum ClassRole: String, Sendable, CaseIterable {
    /// Changes structure and roster, enters results, posts them.
    case teacher
    /// Enters results and comments.
    case grader
    /// Reads the grid and the ledger.
    case observer

    /// Whether the role enters results.
    public var mayGrade: Bool { self != .observer }
    /// Whether the role changes the structure and the roster, and posts results.
    public var mayTeach: Bool { self == .teacher }
}

/// A member of a class's staff.
public struct ClassStaff: Sendable, Equatable {
    /// The account.
    public let account: AccountID
    /// The role.
    public let role: ClassRole
    /// The lines in which a grader enters results, including those inside them; `nil` for all.
    public let lines: [LineID]?
    /// The groups of a grader, who reads their rows and enters results for their students; `nil` for all students.
    public let groups: [GroupID]?

    /// A member of the staff.
    public init(_ account: AccountID, as role: ClassRole, in lines: [LineID]? = nil, groups: [GroupID]? = nil) {
        self.account = account
        self.role = role
        self.lines = lines
        self.groups = groups
    }

    /// The cells in which the member enters results.
    public var scope: GraderScope { GraderScope(lines: lines, groups: groups, by: account) }
}

/// A class at one moment, without its rows.
public struct ClassSnapshot: Sendable, Equatable {
    /// Title, state and other properties.
    public let head: ClassHead
    /// The number of acts so far.
    public let version: Version
    /// The lines of its rows.
    public let structure: ClassStructure
    /// Its staff.
    public let staff: [ClassStaff]
    /// The groups of its students, set by set.
    public let groups: [ClassGroup]
    /// Its term with the periods inside; `nil` for none.
    public let calendar: ClassCalendar?

    /// A class at one moment.
    public init(
        head: ClassHead, version: Version, structure: ClassStructure, staff: [ClassStaff], groups: [ClassGroup] = [],
        calendar: ClassCalendar? = nil
    ) {
        self.head = head
        self.version = version
        self.structure = structure
        self.staff = staff
        self.groups = groups
        self.calendar = calendar
    }

    /// The role of an account in the class; `nil` for none.
    public func role(of account: AccountID) -> ClassRole? { member(account)?.role }

    /// The account's membership in the staff; `nil` for none.
    public func member(_ account: AccountID) -> ClassStaff? { staff.first { $0.account == account } }

    /// The class with a new head and staff, after an act.
    public func changed(_ head: ClassHead, staff: [ClassStaff], at version: Version) -> ClassSnapshot {
        ClassSnapshot(
            head: head, version: version, structure: structure, staff: staff, groups: groups, calendar: calendar)
    }

    /// The class in another term.
    public func moved(to calendar: ClassCalendar?) -> ClassSnapshot {
        ClassSnapshot(
            head: head, version: version, structure: structure, staff: staff, groups: groups, calendar: calendar)
    }
}

/// The limits of a class.
public enum ClassLimits {
    /// Most students.
    public static let students = 2_000
    /// Most lines.
    public static let lines = 200
    /// Most bytes of the structure's text.
    public static let structure = 64 << 10
    /// Most members of the staff.
    public static let staff = 40
    /// Most sections.
    public static let sections = 20
    /// Most groups.
    public static let groups = 200
    /// Most cells of one act.
    public static let cells = 20_000
    /// Most rows whose totals one act gives.
    public static let overrides = 200
    /// Most cells of one correction.
    public static let correctedCells = 200
    /// Most undecided corrections.
    public static let corrections = 100
    /// Most comments on one cell.
    public static let comments = 50
    /// Most characters of a comment.
    public static let comment = 4_000
    /// Most characters of a title.
    public static let title = 200
}
