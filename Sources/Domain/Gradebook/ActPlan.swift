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

        /// A student joins the class.
        static func joining(_ id: EnrolmentID) -> Line { Line(enrolment: id, before: nil, after: Array("{}".utf8)) }

        /// A student leaves the class, or comes back.
        static func leaving(_ id: EnrolmentID, _ isLeaving: Bool) -> Line {
            func text(_ isWithdrawn: Bool) -> [UInt8] { JSON.object(["withdrawn": .bool(isWithdrawn)]).bytes }
            return Line(enrolment: id, before: text(!isLeaving), after: text(isLeaving))
        }

        /// A due day is over, and nothing was missing.
        static func due(_ day: CalendarDay) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["due": .string(day.description)]).bytes)
        }

        /// A correction is asked for or decided.
        static func correction(_ id: CorrectionID) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["correction": .string(id.text)]).bytes)
        }

        /// A student's account was deleted, and with it what the row held.
        public static func erasure(of id: EnrolmentID) -> Line { Line(enrolment: id, before: nil, after: nil) }

        /// The first line of a class: its structure.
        public static func founding(_ structure: Int) -> Line {
            Line(enrolment: nil, before: nil, after: JSON.object(["s": .number(String(structure))]).bytes)
        }
    }

    /// What the ledger calls the act.
    public let operation: String
    /// Why.
    public var reason: String?
    /// The class's new head.
    public internal(set) var head: ClassHead?
    /// The new structure.
    public internal(set) var structure: ClassStructure?
    /// The new staff.
    public internal(set) var staff: [ClassStaff]?
    /// A correction that is new or decided. Only one that still waits is decided.
    public internal(set) var correction: Correction?
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

    /// Whether the act may have changed which due day comes next.
    public var movesDueDay: Bool { head != nil || structure != nil || dueDay != nil }

    /// The due day that comes next after the act; `nil` for none.
    ///
    /// - Parameters:
    ///   - head: the class after the act.
    ///   - structure: its structure after the act.
    ///   - before: the due day that came next before the act: it is not forgotten while it waits to be dealt with.
    ///   - today: a due day that was over when it was set is not dealt with.
    public func nextDue(
        _ head: ClassHead, _ structure: ClassStructure, before: CalendarDay?, on today: CalendarDay
    ) -> CalendarDay? {
        guard head.state != .closed else { return nil }
        let first = dueDay.map { CalendarDay(days: $0.days + 1) } ?? min(today, before ?? today)
        return structure.firstDue(from: first)
    }

    init(_ operation: String, reason: String? = nil) {
        self.operation = operation
        self.reason = reason
    }

    /// Whether nothing is to be done.
    public var isEmpty: Bool {
        head == nil && structure == nil && staff == nil && correction == nil && dueDay == nil && rows.isEmpty
            && newRecords.isEmpty
            && amendments.isEmpty
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

    /// An outcome.
    public init(version: Version, structure: Int, value: Value) {
        self.version = version
        self.structure = structure
        self.value = value
    }
}

/// Where classes are kept, beside the records that follow them.
public protocol GradebookStore: GridStore {
    /// The classes in which a due day is over, each with the first one that is not dealt with, in the order of their
    /// identifiers.
    ///
    /// - Parameter day: days before it are over.
    func classesDue(
        before day: CalendarDay, after cursor: ClassID?, limit: Int
    ) async throws -> [(id: ClassID, day: CalendarDay)]

    /// Stores a new class as version 1.
    ///
    /// - Throws: `StoreError.taken(field: "id")`, `moved` when a right is another by now, `full`, `unavailable`.
    func found(
        _ head: ClassHead, _ structure: ClassStructure, staff: [ClassStaff], by context: ActContext
    ) async throws -> ClassSnapshot

    /// A class as it stands; `nil` when there is none.
    func taughtClass(_ id: ClassID) async throws -> ClassSnapshot?
    /// The classes in which an account teaches, in the order of their identifiers.
    func classes(taughtBy account: AccountID, after cursor: ClassID?, limit: Int) async throws -> [ClassSnapshot]
    /// A student's enrolments, in the order of their identifiers.
    func enrolments(of student: AccountID) async throws -> [Enrolment]
    /// The rows that changed after a version, in the order of enrolment, with the class's version before they were read.
    func rows(of id: ClassID, since version: Version) async throws -> (version: Version, rows: [EnrolledRow])?
    /// One row; `nil` when the class has no such enrolment.
    func row(_ enrolment: EnrolmentID, of id: ClassID) async throws -> EnrolledRow?
    /// The ledger below a line, newest first: of one student's row, or of the class.
    ///
    /// - Parameter number: the number of a line of the same ledger; `nil` begins at the end.
    func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before number: Int?, limit: Int
    ) async throws -> [LedgerLine]
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
}
