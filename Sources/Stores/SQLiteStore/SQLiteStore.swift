public import DataStore
import Deadlines
public import SQLite
public import Shared
import Synchronization
import Threads

/// Every port's store in one SQLite file, with one writer that commits in batches and a few readers.
///
/// ```swift
/// let store = try SQLiteStore.open(path: "data/gradecast.db") { commit in
///     hub.publish(commit)
/// }
/// let name = try await store.read { try $0.first("SELECT …") { $0.text(0) } }
/// try await store.write { try $0.connection.run("UPDATE …") }
/// await store.close()
/// ```
public final class SQLiteStore: StoreUpkeep {
    /// The path of the database file.
    public let path: String
    /// The store's epoch, which never changes while the store is open.
    public let epoch: Epoch
    /// News of access changes, made by this program and by programs beside it.
    public let accessNews = AccessNews()

    let copies = CopyLease()
    let closing = Closing()
    let recent: RecentRecords
    /// Whether another program serves this store and this one only writes beside it.
    public let isGuest: Bool
    private let lock: FileLock
    private let queue: BlockingQueue<any WriteJob>
    private let status: WriterStatus
    private let readers: ReaderPool
    /// Readers for work over many records, so that reads of single records do not wait for it.
    private let browser: ReaderPool
    private let writing: Thread
    /// Workers for backups and for reading copies.
    let upkeepWorkers = WorkerPool("upkeep", threads: 2, niceness: 10, capacity: 64)

    /// Opens a database file, creating it if necessary, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - mayBeGuest: whether to write beside a running server, which notices the changes. A guest cannot write
    ///     records.
    ///   - observer: receives every commit on the writer's thread, before the commit's callers continue.
    ///   - gathering: runs the notifications of one batch.
    /// - Throws: ``StoreError/incompatible(_:)`` for a file that is damaged, belongs to another program or has a newer
    ///   schema; ``StoreError/unavailable(_:)`` when another program uses it or the system refuses.
    public static func open(
        path: String, options: SQLiteStoreOptions = SQLiteStoreOptions(), mayBeGuest: Bool = false,
        observer: @escaping Commit.Observer = { _ in },
        gathering: @escaping Commit.Gathering = { $0() }
    ) throws -> SQLiteStore {
        do {
            return try SQLiteStore(
                path: path, options: options, mayBeGuest: mayBeGuest, observer: observer, gathering: gathering)
        } catch {
            throw StoreError.translating(error)
        }
    }

    private init(
        path: String, options: SQLiteStoreOptions, mayBeGuest: Bool,
        observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) throws {
        self.path = path
        let owned = try FileLock(ifFree: path)
        isGuest = owned == nil && mayBeGuest
        lock = try owned ?? FileLock(database: path, as: mayBeGuest ? .guest : .owner)
        let connection =
            try isGuest ? Self.connect(beside: path, options: options) : Self.connect(to: path, options: options)
        epoch = try StoreIdentity.establish(on: connection)
        status = WriterStatus()
        recent = RecentRecords(capacity: isGuest ? 0 : options.recentBytes)
        queue = BlockingQueue(capacity: options.waitingWrites)
        readers = try ReaderPool(count: options.readers, capacity: options.waitingReads) {
            try Connection.reader(path: path)
        }
        do {
            browser = try ReaderPool(count: 1, capacity: options.waitingReads) { try Connection.reader(path: path) }
        } catch {
            readers.stop()
            throw error
        }
        // The writer and its connection were created here and have no other references, so the thread may own them.
        nonisolated(unsafe) let writer = Writer(
            transaction: WriteTransaction(connection: connection, epoch: epoch, recent: recent, news: accessNews),
            queue: queue, status: status, limits: .init(changes: options.batchChanges, work: options.batchWork),
            isGuest: isGuest,
            observer: observer, gathering: gathering)
        do {
            writing = try Thread("writer") { writer.run() }
        } catch {
            readers.stop()
            browser.stop()
            throw error
        }
    }

    /// Returns whether another program is serving the store at `path` now.
    public static func isServed(_ path: String) -> Bool {
        guard DatabaseFile.exists("\(path).lock") else { return false }
        do {
            return try FileLock(ifFree: path) == nil
        } catch {
            return false
        }
    }

    /// The suffix of a file in which an earlier version stored rehearsals and import progress beside the store.
    private static let formerWorkFile = "-work"

    /// Opens the writer's connection for the program that serves the store.
    private static func connect(to path: String, options: SQLiteStoreOptions) throws -> Connection {
        removeCopies(of: path)
        DatabaseFile.remove(path + formerWorkFile)
        try DatabaseFile.makeIfMissing(path, options: options)
        let connection = try Connection.writer(path: path, options: options)
        try Migrator(migrations: Schema.migrations).bringUpToDate(connection)
        // Notices for a previous server do not matter to this one: its caches are empty.
        try connection.run("DELETE FROM notices")
        try connection.endLeases()
        try connection.run(
            "DELETE FROM import_bodies WHERE import NOT IN (SELECT id FROM imports WHERE state = 'running')")
        // Release the mails that a previous server had claimed, so that this one sends them.
        try connection.run("UPDATE mails SET leased_until = NULL WHERE leased_until IS NOT NULL")
        return connection
    }

    /// Opens the writer's connection for a program beside the server. Both must know the same schema.
    private static func connect(beside path: String, options: SQLiteStoreOptions) throws -> Connection {
        let connection = try Connection.writer(path: path, options: options)
        let migrator = Migrator(migrations: Schema.migrations)
        guard try migrator.check(connection) == Schema.migrations.count else {
            throw StoreError.incompatible("the server that uses the file is of an older version than this program")
        }
        return connection
    }

    /// The number of changes waiting for the writer.
    public var waitingWrites: Int { queue.count }

    /// Whether the last batch could be written.
    public var isWritable: Bool { status.condition == .writable }

    /// Returns whether the store can be read.
    public func isReadable() async -> Bool { (try? await read { try $0.first("SELECT 1") { $0.integer(0) } }) != nil }

    /// Returns whether changes can be written. A store whose disk was full makes one new attempt.
    public func checkWritable() async -> Bool {
        if status.condition == .full {
            // The status has the answer; an error has already been reported to the callers whose changes failed.
            try? await write { try $0.connection.run("UPDATE store SET probes = probes + 1") }
        }
        return isWritable
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
        let deadline = Deadline.current
        return try await withUnsafeThrowingContinuation { continuation in
            let job = WriteCall(body, until: deadline, for: continuation)
            if !queue.push(job) { job.end(refusedFor: StoreError.unavailable("too many changes wait, or closing")) }
        }
    }

    /// Reads in one transaction: everything `body` sees is from the same moment, and no older than the last commit.
    ///
    /// `body` runs on a reader's thread. A long read delays the reset of the write-ahead log, so divide it into slices.
    ///
    /// - Throws: ``StoreError/unavailable(_:)``; otherwise what `body` throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await readers.read(body)
    }

    /// Reads like `read`, but on the connection reserved for work that iterates over many records.
    func browse<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await browser.read(body)
    }

    /// Finishes queued changes and reads, cancels running copies, checkpoints the log into the database, and closes the
    /// file.
    public func close() async {
        closing.begin()
        await browser.close()
        await readers.close()
        await upkeepWorkers.join()
        queue.close()
        await writing.join()
        lock.release()
    }
}
