public import Shared

/// A group taught together in one program: what it is, apart from its structure and its students.
public struct ClassHead: Sendable, Equatable {
    /// How far a class is.
    public enum State: String, Sendable, CaseIterable {
        /// Being set up: students do not see it.
        case draft
        /// Being taught.
        case open
        /// Over: its rows stay as they are.
        case closed
    }

    /// The class.
    public let id: ClassID
    /// The tenant.
    public let institution: InstitutionID
    /// The program whose rules apply.
    public let program: ProgramID
    /// What people read.
    public var title: String
    /// How far it is.
    public var state: State
    /// Whether students see the results of new lines only after they are posted.
    public var isPostedByHand: Bool
    /// The year or term to which it belongs; `nil` for none.
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
    /// Structure, cells, posting, roster.
    case teacher
    /// Cells and comments.
    case grader
    /// Reads the grid and the ledger.
    case observer

    /// Whether the role enters results.
    public var mayGrade: Bool { self != .observer }
    /// Whether the role changes structure, posts, and says who belongs to the class.
    public var mayTeach: Bool { self == .teacher }
}

/// A member of a class's staff.
public struct ClassStaff: Sendable, Equatable {
    /// Who.
    public let account: AccountID
    /// As what.
    public let role: ClassRole
    /// The lines in which a grader enters results, with what stands in them; `nil` for all.
    public let lines: [LineID]?
    /// The groups whose rows a grader reads, and for whose students a grader enters results; `nil` for all students.
    public let groups: [GroupID]?

    /// A member of the staff.
    public init(_ account: AccountID, as role: ClassRole, in lines: [LineID]? = nil, groups: [GroupID]? = nil) {
        self.account = account
        self.role = role
        self.lines = lines
        self.groups = groups
    }

    /// In which cells the member enters results.
    public var scope: GraderScope { GraderScope(lines: lines, groups: groups, by: account) }
}

/// A class as it stands at one moment, without its rows.
public struct ClassSnapshot: Sendable, Equatable {
    /// What it is.
    public let head: ClassHead
    /// How many acts there were: raised by one with each.
    public let version: Version
    /// What its rows hold.
    public let structure: ClassStructure
    /// Who teaches it.
    public let staff: [ClassStaff]
    /// The groups of its students, set by set.
    public let groups: [ClassGroup]
    /// Its term with the periods in it; `nil` for none.
    public let calendar: ClassCalendar?

    /// A class as it stands.
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

    /// What an account may do in the class; `nil` for nothing.
    public func role(of account: AccountID) -> ClassRole? { member(account)?.role }

    /// An account as a member of the staff.
    public func member(_ account: AccountID) -> ClassStaff? { staff.first { $0.account == account } }

    /// The class with another head and staff, after an act.
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

/// How much a class may hold.
public enum ClassLimits {
    /// Students.
    public static let students = 2_000
    /// Lines.
    public static let lines = 200
    /// Bytes of the structure's text.
    public static let structure = 64 << 10
    /// Members of the staff.
    public static let staff = 40
    /// Sections.
    public static let sections = 20
    /// Groups.
    public static let groups = 200
    /// Cells of one act.
    public static let cells = 20_000
    /// Rows whose totals one act gives.
    public static let overrides = 200
    /// Cells of one correction.
    public static let correctedCells = 200
    /// Corrections of a class that are not decided yet.
    public static let corrections = 100
    /// Comments on one cell.
    public static let comments = 50
    /// Characters of a comment.
    public static let comment = 4_000
    /// Letters of a title.
    public static let title = 200
}
