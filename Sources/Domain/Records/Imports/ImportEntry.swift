public import Shared

/// An import of results as it is remembered: how far it is, and under which key it was sent.
public struct ImportEntry: Sendable, Equatable {
    /// How it stands.
    public enum State: String, Sendable {
        /// Rows are being entered, or wait to be.
        case running
        /// Every row was dealt with.
        case done
        /// It could not be carried out to its end: it was not sent whole, or too long ago, or its sender may not act any more.
        case failed
    }

    /// Names it among all.
    public let id: String
    /// The program into whose records it goes.
    public let program: ProgramID
    /// Who sent it.
    public let account: AccountID
    /// When it was sent.
    public let startedAt: Timestamp
    /// The sender's key, if there was one.
    public let key: IdempotencyKey?
    /// How many rows it has.
    public let total: Int
    /// What was sent with it.
    public let order: ImportOrder
    /// How it stands.
    public var state: State
    /// Rows dealt with, in their order. After a crash up to a window of 32 more may have been entered than were noted;
    /// their keys keep them from being entered again.
    public var done = 0
    /// Rows entered.
    public var accepted = 0
    /// Rows refused.
    public var refused = 0
    /// When it ended; `nil` while it runs.
    public var endedAt: Timestamp?

    /// An import that begins.
    public init(
        id: String, program: ProgramID, account: AccountID, startedAt: Timestamp, key: IdempotencyKey?, total: Int,
        order: ImportOrder
    ) {
        self.id = id
        self.program = program
        self.account = account
        self.startedAt = startedAt
        self.key = key
        self.total = total
        self.order = order
        state = .running
    }

    /// The same import at its beginning, with what was sent now.
    public func begunAgain(as order: ImportOrder) -> ImportEntry {
        ImportEntry(
            id: id, program: program, account: account, startedAt: startedAt, key: key, total: total, order: order)
    }
}

/// What was sent with an import, beside its rows: enough to carry it out without its sender.
public struct ImportOrder: Sendable, Equatable {
    /// From where it was sent.
    public let source: String
    /// How its rows are to be read and entered, as JSON text.
    public let reading: [UInt8]
    /// The bytes of its rows, as they were sent.
    public let size: Int

    /// What was sent.
    public init(source: String, reading: [UInt8], size: Int) {
        self.source = source
        self.reading = reading
        self.size = size
    }
}

/// What is listed of one row of an import.
public struct ImportRow: Sendable, Equatable {
    /// The row's number, from 1.
    public let number: Int
    /// The record that the row is about; `nil` where it names none that there is.
    public let record: RecordID?
    /// Whose record that is, or whom the row names; `nil` where it names no account.
    public let student: AccountID?
    /// What became of the row, as JSON text. A refused row says what it holds.
    public let text: [UInt8]

    /// What is listed of a row.
    public init(number: Int, record: RecordID?, student: AccountID?, text: [UInt8]) {
        self.number = number
        self.record = record
        self.student = student
        self.text = text
    }
}

/// Where imports are remembered, with what was sent as long as they are under way. What they enter is kept with the records.
public protocol ImportStore: LeaseStore {
    /// Keeps an import that begins, under a lease, and forgets the oldest ended ones beyond ``ImportPlans/kept`` whose
    /// keys are forgotten.
    ///
    /// Where the sender's key stands for an import of the last day, that one is answered instead: as it is while it runs
    /// and when it is done, begun again under its own identifier when it had failed.
    ///
    /// - Throws: `StoreError.idempotencyMismatch` when the key stands for another request.
    func begin(_ entry: ImportEntry, by claim: WorkClaim) async throws -> ImportAdmission
    /// Keeps a piece of what was sent, by its number from 0.
    ///
    /// - Throws: ``LeaseLost``.
    func keep(_ piece: [UInt8], number: Int, under lease: WorkLease) async throws
    /// A piece of what was sent; `nil` behind the last, and for an import that has ended.
    func piece(_ number: Int, of id: String) async throws -> [UInt8]?
    /// Keeps how far an import is, and what is listed of more of its rows. With a record or an account goes what is listed
    /// about it, and nothing is kept about one that is gone. With the end of the import goes what was sent.
    ///
    /// - Throws: ``LeaseLost``.
    func update(_ entry: ImportEntry, listing rows: [ImportRow], under lease: WorkLease) async throws
    /// The import; `nil` when there is none, or it is forgotten.
    func entry(_ id: String) async throws -> ImportEntry?
    /// What is listed of an import's rows, in their order.
    func rows(of id: String) async throws -> [ImportRow]
    /// Drops what is listed of the rows of imports that ended at `moment` or before it, and what ended imports have left of
    /// their bodies.
    func forgetRows(endedBy moment: Timestamp) async throws
}

/// What becomes of an import that is sent.
public enum ImportAdmission: Sendable, Equatable {
    /// It is to be carried out, under this lease.
    case begun(ImportEntry, WorkLease)
    /// It was sent before.
    case known(ImportEntry)
    /// Too much is under way already.
    case refused
}
