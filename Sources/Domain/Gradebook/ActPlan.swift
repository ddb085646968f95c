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

/// The truth that an act finds, lent to the closure that decides it.
public protocol ClassTruth {
    /// The class, its structure and its staff.
    var snapshot: ClassSnapshot { get }
    /// Rows by their enrolments, in the order of enrolment; `nil` for all of them. Those that the class does not have are
    /// absent.
    func rows(_ enrolments: [EnrolmentID]?) throws -> [EnrolledRow]
    /// A record as it stands.
    func record(_ id: RecordID) throws -> RecordSnapshot?
    /// The records of a student in the class's program.
    func records(of student: AccountID) throws -> [RecordSnapshot]
    /// Who put there what stands in a cell; `nil` where that is not known.
    func author(of enrolment: EnrolmentID, _ number: Int) throws -> CellAuthor?
    /// What the ledger tells of one act.
    func ledger(of version: Version) throws -> [LedgerLine]
    /// The structure of a number.
    func structure(numbered number: Int) throws -> ClassStructure?
}

/// What one accepted act does, decided from the truth: the store writes all of it in one transaction, or nothing. An act
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
    /// Rows that are new or changed.
    public internal(set) var rows: [EnrolledRow] = []
    /// Lines of the ledger.
    public internal(set) var lines: [Line] = []
    /// New records, for students who have none in the program.
    public internal(set) var newRecords: [(head: RecordHead, amendment: Amendment)] = []
    /// What the entries that stand for changed rows make of their records. Each is decided from the record of the same
    /// truth, and the store amends nothing else in between.
    public internal(set) var amendments: [(record: RecordID, amendment: Amendment)] = []

    init(_ operation: String, reason: String? = nil) {
        self.operation = operation
        self.reason = reason
    }

    /// Whether nothing is to be done.
    public var isEmpty: Bool {
        head == nil && structure == nil && staff == nil && rows.isEmpty && newRecords.isEmpty && amendments.isEmpty
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
public protocol GradebookStore: Sendable {
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
    /// The ledger below a version, newest first: of one student's row, or of the class.
    func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before version: Version?, limit: Int
    ) async throws -> [LedgerLine]

    /// Lets `change` decide an act from the truth, inside the transaction that stores what it decides: rows, the class's
    /// version, the ledger, the entries that stand for rows, the records' standings and history.
    ///
    /// What `change` throws is thrown here, and nothing is stored. It is called on the store's own thread, and again where
    /// changes that share its transaction are repeated: it must be quick and pure.
    ///
    /// - Throws: `StoreError`: `notFound`, `moved`, `full`, `unavailable`; and what `change` throws.
    func act<Value: Sendable>(
        in id: ClassID, by context: ActContext,
        _ change: @escaping @Sendable (any ClassTruth) throws -> (plan: ActPlan, value: Value)
    ) async throws -> ActOutcome<Value>
}
