public import DataStore
import Deadlines
public import SQLite
public import Shared
import Synchronization
import Threads

/// Every port's store, in one SQLite file: one writer that commits in groups, and a few readers.
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
    /// Where the database is.
    public let path: String
    /// The store's epoch; it is the same as long as the store is open.
    public let epoch: Epoch
    /// What was heard of changes of access: this program's, and those of programs beside it.
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
    /// For work that goes through many records; reads of one record do not wait for it.
    private let browser: ReaderPool
    private let writing: Thread
    /// For backups and the reading of copies.
    let upkeepWorkers = WorkerPool("upkeep", threads: 2, niceness: 10, capacity: 64)

    /// Opens a database file, making it when there is none, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - observer: told of every commit, on the writer's thread, before the commit's callers go on.
    ///   - gathering: runs the telling of one batch.
    /// - Throws: ``StoreError/incompatible(_:)`` for a file that is damaged, another program's or of a newer schema;
    ///   ``StoreError/unavailable(_:)`` when another program uses it or the system refuses.
    ///   - mayBeGuest: whether to write beside a server that has the file, which heeds the changes; not to records.
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
        // The writer and its connection were made here and are referred to by nothing else: the thread has them.
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

    /// Whether another program serves the store at `path` at this moment.
    public static func isServed(_ path: String) -> Bool {
        guard DatabaseFile.exists("\(path).lock") else { return false }
        do {
            return try FileLock(ifFree: path) == nil
        } catch {
            return false
        }
    }

    /// What an earlier version kept rehearsals and the progress of imports in, beside the store.
    private static let formerWorkFile = "-work"

    /// The writer's connection of the program that serves the store.
    private static func connect(to path: String, options: SQLiteStoreOptions) throws -> Connection {
        removeCopies(of: path)
        DatabaseFile.remove(path + formerWorkFile)
        try DatabaseFile.makeIfMissing(path, options: options)
        let connection = try Connection.writer(path: path, options: options)
        try Migrator(migrations: Schema.migrations).bringUpToDate(connection)
        // What was left for a server that has ended concerns this one no more: it begins with nothing in memory.
        try connection.run("DELETE FROM notices")
        try connection.endLeases()
        try connection.run(
            "DELETE FROM import_bodies WHERE import NOT IN (SELECT id FROM imports WHERE state = 'running')")
        // The mails that another server was about to send are sent by this one.
        try connection.run("UPDATE mails SET leased_until = NULL WHERE leased_until IS NOT NULL")
        return connection
    }

    /// The writer's connection of a program beside the server, which must understand the file as the server does.
    private static func connect(beside path: String, options: SQLiteStoreOptions) throws -> Connection {
        let connection = try Connection.writer(path: path, options: options)
        let migrator = Migrator(migrations: Schema.migrations)
        guard try migrator.check(connection) == Schema.migrations.count else {
            throw StoreError.incompatible("the server that uses the file is of an older version than this program")
        }
        return connection
    }

    /// Changes that wait for the writer.
    public var waitingWrites: Int { queue.count }

    /// Whether the last batch could be written.
    public var isWritable: Bool { status.condition == .writable }

    /// Whether reads are answered.
    public func isReadable() async -> Bool { (try? await read { try $0.first("SELECT 1") { $0.integer(0) } }) != nil }

    /// Whether changes can be written now: a store that found its disk full tries again, once.
    public func checkWritable() async -> Bool {
        if status.condition == .full {
            // The answer is in the status; why it failed was told to those whose changes failed.
            try? await write { try $0.connection.run("UPDATE store SET probes = probes + 1") }
        }
        return isWritable
    }

    /// Makes a change, durable when this returns.
    ///
    /// `body` runs on the writer's thread, between other callers' changes, and must be quick and pure but for the
    /// transaction: it runs again where the changes of a batch are made again. If it throws, its change leaves no trace
    /// and the error is thrown here. A task cancelled while it waits still makes its change.
    ///
    /// - Throws: ``StoreError/full``, ``StoreError/unavailable(_:)``; `DeadlinePassed` when the deadline of the calling task
    ///   has passed before the change's turn; a violated unique index is
    ///   ``StoreError/taken(field:)`` with the column's name; else what `body` throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let deadline = Deadline.current
        return try await withUnsafeThrowingContinuation { continuation in
            let job = WriteCall(body, until: deadline, for: continuation)
            if !queue.push(job) { job.end(refusedFor: StoreError.unavailable("too many changes wait, or closing")) }
        }
    }

    /// Reads, in one transaction: everything `body` sees is of one moment, and no earlier than the last commit.
    ///
    /// `body` runs on a reader's thread. Long reads hold up the write-ahead log; cut them into slices.
    ///
    /// - Throws: ``StoreError/unavailable(_:)``; else what `body` throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await readers.read(body)
    }

    /// Reads like `read`, through a connection of its own for those who go through many records in slices.
    func browse<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await browser.read(body)
    }

    /// Lets the changes and reads that are queued finish, ends copies that are being made, copies the log into the database
    /// and closes the file.
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
