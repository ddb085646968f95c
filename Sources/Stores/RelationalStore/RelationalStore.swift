public import DataStore
public import Database
import Deadlines
public import Shared
package import Threads

/// Every port's store in one relational database: the tables, and what is found in them and written to them.
///
/// A store in a certain database inherits from it. It opens the database, and brings the writer that takes the changes
/// from the queue and commits them.
///
/// ```swift
/// let name = try await store.read { try $0.first("SELECT …") { $0.text(0) } }
/// try await store.write { try $0.connection.run("UPDATE …") }
/// ```
open class RelationalStore: @unchecked Sendable {
    // Unchecked, because the compiler checks only classes without heirs: every property is a constant that is Sendable,
    // here and in the heirs, which are final.

    /// The store's epoch, which never changes while the store is open.
    public let epoch: Epoch
    /// News of access changes, made by this program and by programs beside it.
    public let accessNews: AccessNews

    /// Whether other programs write to the database what this one writes to it.
    public let hasOtherWriters: Bool

    let recent: RecentRecords
    let recentChanges: RecentChanges
    let feedMemory = FeedMemory()
    private let queue: BlockingQueue<any WriteJob>
    private let status: WriterStatus
    private let readers: ReaderPool
    /// Readers for work over many records, so that reads of single records do not wait for it.
    private let browser: ReaderPool

    /// Creates a store over a database that is open.
    ///
    /// - Parameters:
    ///   - queue: the changes that wait for the writer.
    ///   - status: the writer's condition.
    ///   - readers: connections for single reads.
    ///   - browser: connections for work over many records.
    ///   - hasOtherWriters: whether other servers serve the same database.
    package init(
        epoch: Epoch, accessNews: AccessNews, recent: RecentRecords, changes: RecentChanges,
        queue: BlockingQueue<any WriteJob>, status: WriterStatus, readers: ReaderPool, browser: ReaderPool,
        hasOtherWriters: Bool = false
    ) {
        self.hasOtherWriters = hasOtherWriters
        self.epoch = epoch
        self.accessNews = accessNews
        self.recent = recent
        recentChanges = changes
        self.queue = queue
        self.status = status
        self.readers = readers
        self.browser = browser
    }

    /// The number of changes waiting for the writer.
    public var waitingWrites: Int { queue.count }

    /// How long commits take.
    public var commits: CommitTimes { status.commits }

    /// Whether the last batch could be written.
    public var isWritable: Bool { status.condition == .writable }

    /// Returns whether the store can be read.
    public func isReadable() async -> Bool { (try? await read { try $0.first("SELECT 1") { $0.integer(0) } }) != nil }

    /// Why changes are refused at this moment, in words for an operator; `nil` if nothing is known to prevent them.
    public var obstacle: String? { status.reason }

    /// Returns whether changes can be written. A store whose disk was full, or whose database could not be reached, makes
    /// one new attempt.
    open func checkWritable() async -> Bool {
        switch status.condition {
        case .writable, .stopped: break
        case .full, .unreachable: await probe()
        }
        return isWritable
    }

    /// Makes a change that means nothing, after which the writer's condition is known.
    package func probe() async {
        // An error has already been reported to the callers whose changes failed.
        try? await write { try StoreIdentity.probe(on: $0.connection) }
    }

    /// Makes a change, which is durable when this returns.
    ///
    /// `body` runs on the writer's thread, between other callers' changes. It must be quick and have no side effects
    /// beyond the transaction, because it runs again if its batch is repeated. If it throws, its change leaves no trace
    /// and the error is thrown here. If the task is cancelled while it waits, the change is still made.
    ///
    /// - Throws: ``StoreError/full``, ``StoreError/unavailable(_:)``; `DeadlinePassed` when the calling task's deadline
    ///   passes before the change's turn; ``StoreError/taken(field:)`` with the column's name for a violated unique
    ///   index; otherwise what `body` throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write(within: .everything, body)
    }

    /// Makes a change that has only a part of the store to itself, so that other nodes change the rest meanwhile.
    ///
    /// - Parameters:
    ///   - reach: all that the change reads to decide, and all that it writes.
    ///   - ground: what it rests on, if that is known and it writes nothing but a record, its trail and an answer.
    func write<Value: Sendable>(
        within reach: WriteReach, on ground: WriteGround? = nil,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let deadline = Deadline.current
        return try await withUnsafeThrowingContinuation { continuation in
            let job = WriteCall(body, on: ground, within: reach, until: deadline, for: continuation)
            if !queue.push(job) { job.end(refusedFor: StoreError.unavailable("too many changes wait, or closing")) }
        }
    }

    /// Reads in one transaction: everything `body` sees is from the same moment, and no older than the last commit.
    ///
    /// `body` runs on a reader's thread. A long read keeps the database from cleaning up behind the writer, so divide it
    /// into slices.
    ///
    /// - Throws: ``StoreError/unavailable(_:)``; otherwise what `body` throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await readers.read(body)
    }

    /// Reads like `read`, but on the connection reserved for work that iterates over many records.
    package func browse<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await browser.read(body)
    }

    /// Returns the numbers up to which every change of a record, and every line of a class's ledger, has come to its end: it
    /// is visible, or it never will be. What was committed before the call is among them; `Int.max` where changes are
    /// committed in the order of their numbers.
    ///
    /// Who follows a log by its numbers goes no further than this in a read that begins later.
    open func settledLogs() async throws -> (changes: Int, classes: Int) { (.max, .max) }

    /// Finishes the queued reads, and closes the readers' connections.
    package func closeReaders() async {
        await browser.close()
        await readers.close()
    }
}
