public import DataStore
import Database
@_exported public import RelationalStore
import SQLite
public import Shared
import Threads

/// A store in one SQLite file, with one writer that commits in batches and a few readers.
///
/// ```swift
/// let store = try SQLiteStore.open(path: "data/gradecast.db") { commit in
///     hub.publish(commit)
/// }
/// let name = try await store.read { try $0.first("SELECT …") { $0.text(0) } }
/// try await store.write { try $0.connection.run("UPDATE …") }
/// await store.close()
/// ```
public final class SQLiteStore: RelationalStore, StoreUpkeep, @unchecked Sendable {
    // Unchecked as its parent: every property is a constant that is Sendable.

    /// The path of the database file.
    public let path: String
    /// Whether another program serves this store and this one only writes beside it.
    public let isGuest: Bool

    let copies = CopyLease()
    let closing = Closing()
    /// Workers for backups and for reading copies.
    let upkeepWorkers = WorkerPool("upkeep", threads: 2, niceness: 10, capacity: 64)
    private let lock: FileLock
    private let queue: BlockingQueue<any WriteJob>
    private let writing: Thread

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
        let isGuest = owned == nil && mayBeGuest
        self.isGuest = isGuest
        lock = try owned ?? FileLock(database: path, as: mayBeGuest ? .guest : .owner)
        let connection =
            try isGuest ? Self.connect(beside: path, options: options) : Self.connect(to: path, options: options)
        let database = Connection(connection)
        let epoch = try StoreIdentity.establish(on: database)
        let (status, news) = (WriterStatus(), AccessNews())
        if try !isGuest && !Self.takeOver(database) { status.condition = .full }
        let recent = RecentRecords(capacity: isGuest ? 0 : options.recentBytes)
        let changes = RecentChanges()
        let queue = BlockingQueue<any WriteJob>(capacity: options.waitingWrites)
        self.queue = queue
        func readers(_ count: Int) throws -> ReaderPool {
            try ReaderPool(count: count, capacity: options.waitingReads) {
                Connection(try SQLiteConnection.reader(path: path))
            }
        }
        let pool = try readers(options.readers)
        let browser: ReaderPool
        do {
            browser = try readers(1)
        } catch {
            pool.stop()
            throw error
        }
        // The writer and its connection were created here and have no other references, so the thread may own them.
        nonisolated(unsafe) let writer = Writer(
            connection: connection,
            transaction: WriteTransaction(
                connection: database, epoch: epoch, recent: recent, changes: changes, news: news), queue: queue,
            status: status, limits: .init(changes: options.batchChanges, work: options.batchWork), isGuest: isGuest,
            observer: observer, gathering: gathering)
        do {
            writing = try Thread("writer") { writer.run() }
        } catch {
            pool.stop()
            browser.stop()
            throw error
        }
        super.init(
            epoch: epoch, accessNews: news, recent: recent, changes: changes, queue: queue, status: status,
            readers: pool, browser: browser)
    }

    /// The size of the file and of its log, in bytes.
    public var size: Int { DatabaseFile.size(path) + DatabaseFile.size(path + "-wal") }

    /// Returns whether another program is serving the store at `path` now.
    public static func isServed(_ path: String) -> Bool {
        guard DatabaseFile.exists("\(path).lock") else { return false }
        do {
            return try FileLock(ifFree: path) == nil
        } catch {
            return false
        }
    }

    /// Processes the changes of programs beside this one until its task is cancelled. A file has no other nodes.
    public func heedOthers(_ nodes: OtherNodes) async { await takeNoticesUntilCancelled() }

    /// Returns whether the running server has processed this program's changes; waits for that up to `time`. `true`
    /// if no server is running.
    public func isHeeded(within time: Duration = .seconds(5)) async throws -> Bool {
        try await areNoticesTaken(within: time)
    }

    /// Does nothing: a file has no other nodes.
    public func tellOthers(_ wakeUp: WakeUp) {}

    /// The clock of this machine, on which the file is.
    public var clock: WallClock { .system }

    /// The suffix of a file in which an earlier version stored rehearsals and import progress beside the store.
    private static let formerWorkFile = "-work"

    /// Opens the writer's connection for the program that serves the store.
    private static func connect(to path: String, options: SQLiteStoreOptions) throws -> SQLiteConnection {
        removeCopies(of: path)
        DatabaseFile.remove(path + formerWorkFile)
        try DatabaseFile.makeIfMissing(path, options: options)
        let connection = try SQLiteConnection.writer(path: path, options: options)
        try Migrator().bringUpToDate(Connection(connection))
        return connection
    }

    /// Ends what a former server has left, and returns whether there is room for changes. Without room the file is read
    /// alone: what was left does no harm, and its leases end by themselves.
    private static func takeOver(_ database: Connection) throws -> Bool {
        do {
            try database.withTransaction(for: .writing) {
                try database.endWorkOfFormerServer()
                try StoreIdentity.probe(on: database)
            }
            return true
        } catch {
            guard StoreError.translating(error) as? StoreError == .full else { throw error }
            return false
        }
    }

    /// Makes a file at `path`, or brings the schema of the one there up to date; returns the names of the steps.
    static func migrate(_ path: String, options: SQLiteStoreOptions) throws -> [String] {
        do {
            let lock = try FileLock(database: path)
            defer { lock.release() }
            try DatabaseFile.makeIfMissing(path, options: options)
            return try Migrator().bringUpToDate(Connection(try SQLiteConnection.writer(path: path, options: options)))
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Opens the writer's connection for a program beside the server. Both must know the same schema.
    private static func connect(beside path: String, options: SQLiteStoreOptions) throws -> SQLiteConnection {
        let connection = try SQLiteConnection.writer(path: path, options: options)
        guard try Migrator().isUpToDate(Connection(connection)) else {
            throw StoreError.incompatible("the server that uses the file is of an older version than this program")
        }
        return connection
    }

    /// Finishes queued changes and reads, cancels running copies, checkpoints the log into the database, and closes the
    /// file.
    public func close() async {
        closing.begin()
        await closeReaders()
        await upkeepWorkers.join()
        queue.close()
        await writing.join()
        lock.release()
    }
}
