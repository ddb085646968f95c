public import Classes
import GradingKit
public import Records
public import Shared

/// Who acts in a class, from where, and on which rights.
public struct ActContext: Sendable {
    /// Who.
    public let account: AccountID
    /// From where: the peer's address, `cli`, `job`.
    public let source: String
    /// The moment.
    public let at: Timestamp
    /// The access versions under which the permission was given; the store refuses with `moved` when another one is
    /// stored by now.
    public let access: AccessVersions

    /// A context.
    public init(account: AccountID, source: String, at: Timestamp, access: AccessVersions) {
        self.account = account
        self.source = source
        self.at = at
        self.access = access
    }

    /// The same for a record that the act changes.
    public var writing: WriteContext { writing(under: access) }

    /// The same under other access versions: those of a new record's student too.
    public func writing(under access: AccessVersions) -> WriteContext {
        WriteContext(
            account: account, source: source, at: at, view: .full, expected: nil, idempotency: nil, access: access)
    }
}

/// What one accepted act does, decided from its ground: the store writes all of it in one transaction, or nothing. An act
/// that changes nothing raises no version.
public struct ActPlan: Sendable {
    /// What the ledger says of one student's row, or of the structure.
    public struct Line: Sendable, Equatable {
        /// The student in the class; `nil` for the structure.
        public let enrolment: EnrolmentID?
        /// What stood there, as JSON text.
        public let before: [UInt8]?
        /// What stands there now, as JSON text.
        public let after: [UInt8]?
        /// The lines whose results students saw change.
        public let seen: SeenLines

        init(
            enrolment: EnrolmentID?, before: [UInt8]?, after: [UInt8]?, seen: SeenLines = SeenLines()
        ) {
            self.enrolment = enrolment
            self.before = before
            self.after = after
            self.seen = seen
        }

        /// A student joins the class with what the row holds at once.
        ///
        /// - Parameter shown: the lines of the class that show their results.
        static func joining(_ id: EnrolmentID, with row: ClassRow, shown: Set<Int>) -> Line {
            Line(
                enrolment: id, before: nil, after: row.json.bytes,
                seen: SeenLines(shown: shown.intersection(row.cells.keys)))
        }

        /// A student is put into another section.
        static func assigning(_ id: EnrolmentID, from before: SectionID?, to after: SectionID?) -> Line {
            func text(_ section: SectionID?) -> [UInt8] {
                JSON.object(["section": section.map { .string($0.text) } ?? .null]).bytes
            }
            return Line(enrolment: id, before: text(before), after: text(after))
        }

        /// A student is in other groups.
        static func grouping(_ id: EnrolmentID, from before: [GroupID], to after: [GroupID]) -> Line {
            func text(_ groups: [GroupID]) -> [UInt8] {
                JSON.object(["groups": .array(groups.map { .string($0.text) })]).bytes
            }
            return Line(enrolment: id, before: text(before), after: text(after))
        }

        /// A group is made, named otherwise, or deleted.
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

        /// A due day is over, and nothing was missing.
        static func due(_ day: CalendarDay) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["due": .string(day.description)]).bytes)
        }

        /// A correction is asked for or decided.
        static func correction(_ id: CorrectionID) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["correction": .string(id.text)]).bytes)
        }

        /// A comment on a cell is written or deleted. Its text stands in the comment alone.
        static func comment(_ comment: CellComment, isDeleted: Bool) -> Line {
            let text = JSON.object([
                "comment": .string(comment.id.text), "line": .number(String(comment.line)),
                "for": .string(comment.audience.rawValue),
            ]).bytes
            return Line(enrolment: comment.enrolment, before: isDeleted ? text : nil, after: isDeleted ? nil : text)
        }

        /// Cells under codes of a line are others now.
        static func sealed(_ line: Int, from old: [SealedCell], to new: [SealedCell]) -> Line {
            func text(_ cells: [SealedCell]) -> [UInt8] {
                var codes = JSONObject()
                for cell in cells.sorted(by: { $0.code < $1.code }) { codes[cell.code] = cell.cell.json }
                return JSON.object(["line": .number(String(line)), "codes": .object(codes)]).bytes
            }
            return Line(enrolment: nil, before: text(old), after: text(new))
        }

        /// A student's account was deleted, and with it what the row held.
        public static func erasure(of id: EnrolmentID) -> Line { Line(enrolment: id, before: nil, after: nil) }

        /// The first line of a class: its structure.
        public static func founding(_ structure: Int) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["s": .number(String(structure))]).bytes)
        }
    }

    /// What the ledger calls the act.
    public private(set) var operation: String
    /// Why.
    public var reason: String?
    /// The class's new head.
    public internal(set) var head: ClassHead?
    /// The new structure.
    public internal(set) var structure: ClassStructure?
    /// The new staff.
    public internal(set) var staff: [ClassStaff]?
    /// The new groups.
    public internal(set) var groups: [ClassGroup]?
    /// A correction that is new or decided. Only one that still waits is decided.
    public internal(set) var correction: Correction?
    /// A comment that is new or deleted.
    public internal(set) var comment: CommentChange?
    /// Cells under codes that are others now; an empty one goes.
    public internal(set) var sealed: SealedChange?
    /// The due day that is dealt with.
    public internal(set) var dueDay: CalendarDay?
    /// Rows that are new or changed.
    public internal(set) var rows: [EnrolledRow] = []
    /// Lines of the ledger.
    public internal(set) var lines: [Line] = []
    /// New records, for students who have none in the program.
    public internal(set) var newRecords: [(head: RecordHead, amendment: Amendment)] = []
    /// What the entries that stand for changed rows make of their records, each decided from the record of the ground.
    public internal(set) var amendments: [(record: RecordID, amendment: Amendment)] = []

    /// What becomes of a comment.
    public enum CommentChange: Sendable, Equatable {
        /// It is new. Its student sees it by now, or only with the result later.
        case written(CellComment, isSeen: Bool)
        /// It goes.
        case deleted(CommentID)
    }

    /// What becomes of cells under codes, in a line by its number.
    public enum SealedChange: Sendable, Equatable {
        /// They are others now; an empty one goes.
        case entered(line: Int, [SealedCell])
        /// All of them are in the rows now.
        case revealed(line: Int)
    }

    /// Whether the act may have changed which due day comes next.
    public var mayMoveDueDay: Bool { head != nil || structure != nil || dueDay != nil }

    /// The due day that comes next after the act; `nil` for none.
    ///
    /// - Parameters:
    ///   - head: the class after the act.
    ///   - structure: its structure after the act.
    ///   - before: the due day that came next before the act: it is not forgotten while it waits to be dealt with.
    ///   - done: the last due day that was dealt with, this act's included; `nil` for none.
    ///   - today: the day of the act at the institution. Days that were over before it are not dealt with, but for those
    ///     from `before` on.
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

    /// The same under another name in the ledger.
    func named(_ operation: String) -> ActPlan {
        var plan = self
        plan.operation = operation
        return plan
    }

    /// Returns, for each amended record, the index of the line that describes what happened to it: the line of its row, or
    /// else the line of the class.
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

    /// Whether nothing is to be done.
    public var isEmpty: Bool {
        head == nil && structure == nil && staff == nil && groups == nil && correction == nil && comment == nil
            && sealed == nil && dueDay == nil && rows.isEmpty && newRecords.isEmpty && amendments.isEmpty
    }
}

/// What became of an act.
public struct ActOutcome<Value: Sendable>: Sendable {
    /// The class's version after it.
    public let version: Version
    /// The number of the structure after it.
    public let structure: Int
    /// What the closure answered.
    public let value: Value
    /// Whether the act changed anything. If not, it made no version, and ``version`` is that of an earlier act.
    public let isNew: Bool

    /// An outcome.
    public init(version: Version, structure: Int, value: Value, isNew: Bool = true) {
        self.version = version
        self.structure = structure
        self.value = value
        self.isNew = isNew
    }
}

/// Comments that are read together.
public enum CommentList: Sendable {
    /// Those on some lines of a row, by their numbers; with `isStudent` those that its student reads.
    case row(EnrolmentID, lines: [Int], isStudent: Bool)
    /// Those that an account wrote.
    case written(by: AccountID)
    /// Those for a student of any class.
    case about(AccountID)
}

/// Where classes are kept, beside the records that follow them.
public protocol GradebookStore: GridStore {
    /// The classes that have a due day before another day, each with its institution and the first such day that is not
    /// dealt with, in the order of their identifiers.
    func classesDue(
        before day: CalendarDay, after cursor: ClassID?, limit: Int
    ) async throws -> [(id: ClassID, institution: InstitutionID, day: CalendarDay)]

    /// Stores a new class as version 1.
    ///
    /// - Throws: `StoreError.taken(field: "id")`, `moved` when a right is another by now, `full`, `unavailable`.
    func found(
        _ head: ClassHead, _ structure: ClassStructure, staff: [ClassStaff], by context: ActContext
    ) async throws -> ClassSnapshot

    /// A class as it stands; `nil` when there is none.
    func taughtClass(_ id: ClassID) async throws -> ClassSnapshot?
    /// Some classes, in the order of their identifiers.
    func classes(_ selection: ClassSelection, after cursor: ClassID?, limit: Int) async throws -> [ClassSnapshot]
    /// A student's enrolments, in the order of their identifiers.
    func enrolments(of student: AccountID) async throws -> [Enrolment]
    /// The rows that changed after a version, in the order of enrolment, with the class's version before they were read.
    func rows(of id: ClassID, since version: Version) async throws -> (version: Version, rows: [EnrolledRow])?
    /// One row; `nil` when the class has no such enrolment.
    func row(_ enrolment: EnrolmentID, of id: ClassID) async throws -> EnrolledRow?
    /// Returns the details of acts that changed a record. Acts without a line in the ledger are absent.
    func details(of acts: [ClassAct], in record: RecordID) async throws -> [ClassAct: ClassActDetail]
    /// The ledger below a line, newest first: of one student's row, or of the class.
    ///
    /// - Parameter number: the number of a line of the same ledger; `nil` begins at the end.
    func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before number: Int?, limit: Int
    ) async throws -> [LedgerLine]
    /// The structure that a class has or had under a number; `nil` for none.
    func structure(_ number: Int, of id: ClassID) async throws -> ClassStructure?
    /// Who put what stands in cells there; `nil` where the last lines of a row's ledger do not tell.
    ///
    /// - Parameter cells: rows with the numbers of lines.
    func authors(of cells: [CellPlace], in id: ClassID) async throws -> [CellAuthor?]

    /// The corrections of a class below a number, newest first, each with its number.
    ///
    /// - Parameter number: `nil` begins at the newest.
    func corrections(
        of id: ClassID, before number: Int?, limit: Int
    ) async throws -> [(number: Int, correction: Correction)]

    /// A correction of any class; `nil` when there is no such correction.
    func correction(_ id: CorrectionID) async throws -> Correction?
    /// The corrections of an institution's classes that wait for a decision, below a number, newest first, each with its number.
    ///
    /// - Parameters:
    ///   - asker: whose corrections are left out.
    ///   - moment: those that were asked for earlier are left out.
    ///   - number: `nil` begins at the newest.
    func waitingCorrections(
        in institution: InstitutionID, besides asker: AccountID, since moment: Timestamp, before number: Int?,
        limit: Int
    ) async throws -> [(number: Int, correction: Correction)]

    /// A comment with its number; `nil` when there is no such comment.
    func comment(_ id: CommentID) async throws -> (number: Int, comment: CellComment)?
    /// Comments below a number, newest first, each with its number.
    ///
    /// - Parameter number: `nil` begins at the newest.
    func comments(
        _ list: CommentList, before number: Int?, limit: Int
    ) async throws -> [(number: Int, comment: CellComment)]
    /// How many comments the cells of a row have, by the numbers of lines; those without any are absent.
    func commentCounts(of row: EnrolmentID) async throws -> [Int: CommentCount]

    /// What was entered under codes of a line; `nil` when there is no such class, or it never had such a line.
    func sealedLine(_ line: LineID, of id: ClassID) async throws -> SealedLine?
    /// A class's secret and the place of a student in the order of enrolment; `nil` where no line was ever marked anonymously.
    func seal(of row: EnrolmentID) async throws -> (secret: [UInt8], place: Int)?

    /// What an act rests on; `nil` when there is no such class. Rows and records are read in slices: what changes in
    /// between is found when the act is carried out.
    func ground(of id: ClassID, _ reach: ActReach) async throws -> ActGround?

    /// Carries out an act in one transaction: rows, the class's version, the ledger, the entries that stand for rows, the
    /// records' standings and history.
    ///
    /// `keep` makes the answer to keep under the client's key of what was carried out, in the same transaction.
    ///
    /// Its ground is compared with what stands there by then. Where up to ``ActGround/greatestRepair`` rows or records have
    /// changed, `again` decides from the ground with those; what it throws is thrown here, and nothing is stored. It is
    /// called on the store's own thread, and again where changes that share its transaction are repeated: it must be pure,
    /// and quick for rows that were judged before.
    ///
    /// - Throws: `StoreError`: `notFound`, `full`, `unavailable`, `moved` when more has changed, or the class itself, and
    ///   when the due day that is dealt with is not the next one any more; and what `again` throws.
    func act<Value: Sendable>(
        on ground: ActGround, by context: ActContext, _ decision: ActDecision<Value>,
        keeping keep: @escaping @Sendable (ActOutcome<Value>) -> KeptAnswer?,
        again: @escaping @Sendable (ActGround) throws -> ActDecision<Value>
    ) async throws -> ActOutcome<Value>

    /// Carries out the move of a record to another version of its program in one transaction, with an act in the class of
    /// each of its rows.
    ///
    /// - Throws: `StoreError`: `notFound`, `full`, `unavailable`; `moved` when the record, one of its rows or classes, or the
    ///   right to do this is another by now.
    func move(_ move: RecordMove, by context: ActContext) async throws

    /// Carries out two acts, of two classes, in one transaction; the second one rests on what the first one did. Each is
    /// decided within it from its ground as it stands by then.
    ///
    /// - Throws: as ``act(on:by:_:keeping:again:)``; then nothing of either is stored.
    func act<First: Sendable, Second: Sendable>(
        on grounds: (first: ActGround, second: ActGround), by context: ActContext,
        keeping keep: @escaping @Sendable (ActOutcome<Second>) -> KeptAnswer?,
        first: @escaping @Sendable (ActGround) throws -> ActDecision<First>,
        second: @escaping @Sendable (ActGround, First) throws -> ActDecision<Second>
    ) async throws -> ActOutcome<Second>
}
