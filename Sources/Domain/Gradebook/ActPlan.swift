public import Classes
import GradingKit
public import Records
public import Shared

/// Who acts in a class, from where, and with which permission.
public struct ActContext: Sendable {
    /// The account.
    public let account: AccountID
    /// The source: the peer's address, `cli`, `job`.
    public let source: String
    /// The moment.
    public let at: Timestamp
    /// The access versions of the permission; the store refuses with `moved` if a stored version has changed since.
    public let access: AccessVersions

    /// A context.
    public init(account: AccountID, source: String, at: Timestamp, access: AccessVersions) {
        self.account = account
        self.source = source
        self.at = at
        self.access = access
    }

    /// The context for a record that the act changes.
    public var writing: WriteContext { writing(under: access) }

    /// The same under other access versions, such as those that include a new record's student.
    public func writing(under access: AccessVersions) -> WriteContext {
        WriteContext(
            account: account, source: source, at: at, view: .full, expected: nil, idempotency: nil, access: access)
    }
}

/// The effect of one accepted act, decided from its ground. The store writes all of it in one transaction, or nothing.
/// An act that changes nothing makes no version.
public struct ActPlan: Sendable {
    /// An entry in the ledger about one student's row, or about the structure.
    public struct Line: Sendable, Equatable {
        /// The student in the class; `nil` for the structure.
        public let enrolment: EnrolmentID?
        /// The content before, as JSON text.
        public let before: [UInt8]?
        /// The content after, as JSON text.
        public let after: [UInt8]?
        /// The lines whose results changed for students.
        public let seen: SeenLines

        init(
            enrolment: EnrolmentID?, before: [UInt8]?, after: [UInt8]?, seen: SeenLines = SeenLines()
        ) {
            self.enrolment = enrolment
            self.before = before
            self.after = after
            self.seen = seen
        }

        /// A student joins the class, with the initial content of the row.
        ///
        /// - Parameter shown: the lines of the class that show their results.
        static func joining(_ id: EnrolmentID, with row: ClassRow, shown: Set<Int>) -> Line {
            Line(
                enrolment: id, before: nil, after: row.json.bytes,
                seen: SeenLines(shown: shown.intersection(row.cells.keys)))
        }

        /// A student moves to another section.
        static func assigning(_ id: EnrolmentID, from before: SectionID?, to after: SectionID?) -> Line {
            func text(_ section: SectionID?) -> [UInt8] {
                JSON.object(["section": section.map { .string($0.text) } ?? .null]).bytes
            }
            return Line(enrolment: id, before: text(before), after: text(after))
        }

        /// A student changes groups.
        static func grouping(_ id: EnrolmentID, from before: [GroupID], to after: [GroupID]) -> Line {
            func text(_ groups: [GroupID]) -> [UInt8] {
                JSON.object(["groups": .array(groups.map { .string($0.text) })]).bytes
            }
            return Line(enrolment: id, before: text(before), after: text(after))
        }

        /// A group is created, renamed or deleted.
        static func group(from before: ClassGroup?, to after: ClassGroup?) -> Line {
            func text(_ group: ClassGroup?) -> [UInt8]? { group.map { JSON.object(["group": $0.json]).bytes } }
            return Line(enrolment: nil, before: text(before), after: text(after))
        }

        /// A student leaves the class, or comes back.
        static func leaving(_ id: EnrolmentID, _ isLeaving: Bool) -> Line {
            func text(_ isWithdrawn: Bool) -> [UInt8] { JSON.object(["withdrawn": .bool(isWithdrawn)]).bytes }
            return Line(enrolment: id, before: text(!isLeaving), after: text(isLeaving))
        }

        /// Another version of the program judges a row.
        static func judging(_ id: EnrolmentID, from before: Version, to after: Version) -> Line {
            func text(_ version: Version) -> [UInt8] {
                JSON.object(["programVersion": .number(String(version))]).bytes
            }
            return Line(enrolment: id, before: text(before), after: text(after))
        }

        /// A due day is over, and no work was missing.
        static func due(_ day: CalendarDay) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["due": .string(day.description)]).bytes)
        }

        /// A correction is requested or decided.
        static func correction(_ id: CorrectionID) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["correction": .string(id.text)]).bytes)
        }

        /// A comment on a cell is written or deleted. Only the comment has its text.
        static func comment(_ comment: CellComment, isDeleted: Bool) -> Line {
            let text = JSON.object([
                "comment": .string(comment.id.text), "line": .number(String(comment.line)),
                "for": .string(comment.audience.rawValue),
            ]).bytes
            return Line(enrolment: comment.enrolment, before: isDeleted ? text : nil, after: isDeleted ? nil : text)
        }

        /// Cells under codes of a line change.
        static func sealed(_ line: Int, from old: [SealedCell], to new: [SealedCell]) -> Line {
            func text(_ cells: [SealedCell]) -> [UInt8] {
                var codes = JSONObject()
                for cell in cells.sorted(by: { $0.code < $1.code }) { codes[cell.code] = cell.cell.json }
                return JSON.object(["line": .number(String(line)), "codes": .object(codes)]).bytes
            }
            return Line(enrolment: nil, before: text(old), after: text(new))
        }

        /// A student's account was deleted, and with it the content of the row.
        public static func erasure(of id: EnrolmentID) -> Line { Line(enrolment: id, before: nil, after: nil) }

        /// The first line of a class: its structure.
        public static func founding(_ structure: Int) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["s": .number(String(structure))]).bytes)
        }
    }

    /// The name of the act in the ledger.
    public private(set) var operation: String
    /// The reason.
    public var reason: String?
    /// The class's new head.
    public internal(set) var head: ClassHead?
    /// The new structure.
    public internal(set) var structure: ClassStructure?
    /// The new staff.
    public internal(set) var staff: [ClassStaff]?
    /// The new groups.
    public internal(set) var groups: [ClassGroup]?
    /// A new or decided correction. Only an undecided one can be decided.
    public internal(set) var correction: Correction?
    /// A new or deleted comment.
    public internal(set) var comment: CommentChange?
    /// Changed cells under codes; an empty cell is removed.
    public internal(set) var sealed: SealedChange?
    /// The due day that the act handles.
    public internal(set) var dueDay: CalendarDay?
    /// New or changed rows.
    public internal(set) var rows: [EnrolledRow] = []
    /// Lines of the ledger.
    public internal(set) var lines: [Line] = []
    /// New records, for students who have none in the program.
    public internal(set) var newRecords: [(head: RecordHead, amendment: Amendment)] = []
    /// The changes of records whose entries stand for changed rows, each decided from the record in the ground.
    public internal(set) var amendments: [(record: RecordID, amendment: Amendment)] = []

    /// A change of a comment.
    public enum CommentChange: Sendable, Equatable {
        /// A new comment. `isSeen`: the student sees it already, not only later with the result.
        case written(CellComment, isSeen: Bool)
        /// A deleted comment.
        case deleted(CommentID)
    }

    /// A change of cells under codes in a line, by its number.
    public enum SealedChange: Sendable, Equatable {
        /// These cells change; an empty one is removed.
        case entered(line: Int, [SealedCell])
        /// All cells have moved to the rows.
        case revealed(line: Int)
    }

    /// Whether the act may have changed the next due day.
    public var mayMoveDueDay: Bool { head != nil || structure != nil || dueDay != nil }

    /// The next due day after the act; `nil` for none.
    ///
    /// - Parameters:
    ///   - head: the class after the act.
    ///   - structure: its structure after the act.
    ///   - before: the next due day before the act, which stays until it is handled.
    ///   - done: the last handled due day, including this act's; `nil` for none.
    ///   - today: the day of the act at the institution. Earlier days are not handled, except those from `before` on.
    public func nextDue(
        _ head: ClassHead, _ structure: ClassStructure, before: CalendarDay?, done: CalendarDay?, on today: CalendarDay
    ) -> CalendarDay? {
        guard head.state != .closed else { return nil }
        let first = min(today, before ?? today)
        return structure.firstDue(from: done.map { max(first, CalendarDay(days: $0.days + 1)) } ?? first)
    }

    init(_ operation: String, reason: String? = nil) {
        self.operation = operation
        self.reason = reason
    }

    /// The same act under another name in the ledger.
    func named(_ operation: String) -> ActPlan {
        var plan = self
        plan.operation = operation
        return plan
    }

    /// Returns, for each amended record, the index of the line that describes what happened to it: the line of its row,
    /// otherwise the line of the class.
    public func linesOfRecords() -> [RecordID: Int] {
        let records = Dictionary(
            rows.map { ($0.enrolment.id, $0.enrolment.record) }, uniquingKeysWith: { first, _ in first })
        var (places, ofClass): ([RecordID: Int], Int?) = ([:], nil)
        for (place, line) in lines.enumerated() {
            guard let enrolment = line.enrolment else {
                ofClass = ofClass ?? place
                continue
            }
            if let record = records[enrolment] { places[record] = places[record] ?? place }
        }
        guard let ofClass else { return places }
        for (record, _) in amendments where places[record] == nil { places[record] = ofClass }
        return places
    }

    /// Whether the act changes nothing.
    public var isEmpty: Bool {
        head == nil && structure == nil && staff == nil && groups == nil && correction == nil && comment == nil
            && sealed == nil && dueDay == nil && rows.isEmpty && newRecords.isEmpty && amendments.isEmpty
    }
}

/// The result of an act.
public struct ActOutcome<Value: Sendable>: Sendable {
    /// The version of the class after it.
    public let version: Version
    /// The number of the structure after it.
    public let structure: Int
    /// The answer of the closure.
    public let value: Value
    /// Whether the act changed anything. If not, it made no version, and ``version`` is that of an earlier act.
    public let isNew: Bool

    /// Creates a result.
    public init(version: Version, structure: Int, value: Value, isNew: Bool = true) {
        self.version = version
        self.structure = structure
        self.value = value
        self.isNew = isNew
    }
}

/// A selection of comments.
public enum CommentList: Sendable {
    /// Comments on some lines of a row, by number; with `isStudent`, those that its student may read.
    case row(EnrolmentID, lines: [Int], isStudent: Bool)
    /// Comments by an account.
    case written(by: AccountID)
    /// Comments for a student, in any class.
    case about(AccountID)
}
