public import Shared

/// An import of results as it is remembered: how far it is, and under which key it was sent.
public struct ImportEntry: Sendable, Equatable {
    /// How it stands.
    public enum State: String, Sendable {
        /// Rows are being entered, or wait to be.
        case running
        /// Every row was dealt with.
        case done
        /// It was stopped on the way, as by an end of the server.
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
    /// How it stands.
    public var state: State
    /// Rows dealt with, in their order. After a crash up to a window of 32 more may have been entered than were noted.
    public var done = 0
    /// Rows entered.
    public var accepted = 0
    /// Rows refused.
    public var refused = 0
    /// What became of rows, as a JSON array; empty until the import has ended.
    public var rows: [UInt8] = []

    /// An import that begins.
    public init(
        id: String, program: ProgramID, account: AccountID, startedAt: Timestamp, key: IdempotencyKey?, total: Int
    ) {
        self.id = id
        self.program = program
        self.account = account
        self.startedAt = startedAt
        self.key = key
        self.total = total
        state = .running
    }

    /// The same import at its beginning, under the rows that were sent now.
    public func begunAgain() -> ImportEntry {
        ImportEntry(id: id, program: program, account: account, startedAt: startedAt, key: key, total: total)
    }
}

/// Where imports are remembered. What they enter is kept with the records; this is only how far they are.
public protocol ImportStore: Sendable {
    /// Keeps an import that begins, and forgets the oldest ones beyond ``ImportPlans/kept``.
    ///
    /// Where the sender's key stands for an import of the last day, that one is answered instead: as it is while it runs
    /// and when it is done, begun again under its own identifier when it had failed.
    ///
    /// - Throws: `StoreError.idempotencyMismatch` when the key stands for another request.
    func begin(_ entry: ImportEntry) async throws -> ImportAdmission
    /// Keeps how far an import is.
    func update(_ entry: ImportEntry) async throws
    /// The import; `nil` when there is none, or it is forgotten.
    func entry(_ id: String) async throws -> ImportEntry?
}

/// What becomes of an import that is sent.
public enum ImportAdmission: Sendable, Equatable {
    /// It is to be carried out.
    case begun(ImportEntry)
    /// It was sent before.
    case known(ImportEntry)
}
