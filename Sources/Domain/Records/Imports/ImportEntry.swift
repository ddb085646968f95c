public import Shared

/// A stored import of results, with its progress and the idempotency key it was sent with.
public struct ImportEntry: Sendable, Equatable {
    /// The state of an import.
    public enum State: String, Sendable {
        /// Its rows are being entered or are waiting.
        case running
        /// Every row was processed.
        case done
        /// It ended early: its body was incomplete or too old, or its sender has lost the permission.
        case failed
    }

    /// The identifier, unique among all imports.
    public let id: String
    /// The program whose records receive the results.
    public let program: ProgramID
    /// The account that sent it.
    public let account: AccountID
    /// When it was sent.
    public let startedAt: Timestamp
    /// The sender's idempotency key, if there was one.
    public let key: IdempotencyKey?
    /// The number of rows.
    public let total: Int
    /// What was sent with it, besides the rows.
    public let order: ImportOrder
    /// The current state.
    public var state: State
    /// The number of rows processed, in order. After a crash, up to 32 more rows than this may have been entered; their
    /// keys prevent a second entry.
    public var done = 0
    /// The number of rows entered.
    public var accepted = 0
    /// The number of rows refused.
    public var refused = 0
    /// When it ended; `nil` while it runs.
    public var endedAt: Timestamp?

    /// Creates an import that begins.
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

    /// Returns the same import from its beginning, with a new order.
    public func begunAgain(as order: ImportOrder) -> ImportEntry {
        ImportEntry(
            id: id, program: program, account: account, startedAt: startedAt, key: key, total: total, order: order)
    }
}

/// What was sent with an import besides its rows: enough to carry it out without its sender.
public struct ImportOrder: Sendable, Equatable {
    /// The source of the request.
    public let source: String
    /// How to read and enter its rows, as JSON text.
    public let reading: [UInt8]
    /// The number of bytes of the rows as they were sent.
    public let size: Int

    /// Creates an order.
    public init(source: String, reading: [UInt8], size: Int) {
        self.source = source
        self.reading = reading
        self.size = size
    }
}

/// One row in the report of an import.
public struct ImportRow: Sendable, Equatable {
    /// The row's number, from 1.
    public let number: Int
    /// The record that the row is about; `nil` if the row names no existing record.
    public let record: RecordID?
    /// The student of that record, or the one whom the row names; `nil` if the row names no account.
    public let student: AccountID?
    /// The result of the row as JSON text. For a refused row it includes the row's content.
    public let text: [UInt8]

    /// Creates a row of a report.
    public init(number: Int, record: RecordID?, student: AccountID?, text: [UInt8]) {
        self.number = number
        self.record = record
        self.student = student
        self.text = text
    }
}

/// The response of the store to a new import.
public enum ImportAdmission: Sendable, Equatable {
    /// The import is to be carried out under this lease.
    case begun(ImportEntry, WorkLease)
    /// The same import was sent before.
    case known(ImportEntry)
    /// Too many imports or too many bytes are in progress.
    case refused
}
