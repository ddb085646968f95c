public import DataStore
import Database
import PostgreSQL
@_exported public import RelationalStore
public import Shared
import Synchronization
import Threads

/// A store in a database of PostgreSQL, with one writer that commits in groups and a few readers.
///
/// The database must exist, and belongs to the store alone. Any number of servers serve it, its nodes; other programs
/// write beside them as guests.
public final class PostgresStore: RelationalStore, StoreUpkeep, @unchecked Sendable {
    // Unchecked as its parent: every property is a constant that is Sendable.

    /// Whether another program serves this store and this one only writes beside it.
    public let isGuest: Bool

    private let node: PostgresNode
    private let queue: BlockingQueue<any WriteJob>
    private let writing: Thread

    /// Opens a database, which has the schema of this program.
    ///
    /// - Parameters:
    ///   - mayBeGuest: whether to write beside a running server, which notices the changes. A guest cannot write
    ///     records.
    ///   - observer: receives every commit on the writer's thread, before the commit's callers continue.
    ///   - gathering: runs the notifications of one group.
    /// - Throws: ``StoreError/incompatible(_:)`` for a database that belongs to another program or has another schema;
    ///   ``StoreError/unavailable(_:)`` when another program needs it for itself or the server refuses.
    public static func open(
        _ options: PostgresStoreOptions, mayBeGuest: Bool = false, observer: @escaping Commit.Observer = { _ in },
        gathering: @escaping Commit.Gathering = { $0() }
    ) throws -> PostgresStore {
        do {
            return try PostgresStore(options, mayBeGuest: mayBeGuest, observer: observer, gathering: gathering)
        } catch {
            throw options.explaining(error)
        }
    }

    private init(
        _ options: PostgresStoreOptions, mayBeGuest: Bool, observer: @escaping Commit.Observer,
        gathering: @escaping Commit.Gathering
    ) throws {
        let connection = try options.connectToWrite()
        let standing = try Self.begin(on: connection, options, mayBeGuest: mayBeGuest)
        isGuest = standing == .guest
        let database = Connection(connection)
        let name = "\(UInt64.random(in: .min ... .max))"
        let epoch: Epoch
        do {
            epoch = try Self.prepare(database, standing, as: name)
        } catch {
            // The database lets go of them later otherwise, when it has noticed the end of the connection.
            _ = try? connection.first("SELECT pg_advisory_unlock_all()") { _ in true }
            throw error
        }
        let (news, status) = (AccessNews(), WriterStatus())
        let end = Ending(status, options.report)
        let node = try PostgresNode(
            name, of: epoch, over: database, options, news: news, observer: observer, ended: { end.come(because: $0) })
        self.node = node
        // From here on the others tell this one, and wait for it to take in what they say.
        if standing == .alone, !mayBeGuest {
            _ = try connection.waitForLock(.serving, .shared, atMost: .zero)
            try connection.unlock(.serving)
        }
        if standing != .guest { _ = try NodeLog(database).report(name, heard: node.place) }
        let queue = BlockingQueue<any WriteJob>(capacity: options.waitingWrites)
        self.queue = queue
        let attempts = SharedAttempts(delay: options.reconnectDelay)
        func readers(_ count: Int) throws -> ReaderPool {
            try ReaderPool(count: count, capacity: options.waitingReads, sharing: attempts) {
                Connection(try options.connectToRead())
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
        end.readers.withLock { $0 = [pool, browser] }
        let changes = RecentChanges()
        let setting = PostgresWriter.Setting(
            options: options, name: name, isGuest: isGuest, epoch: epoch, news: news, changes: changes,
            observer: { node.committed($0) }, gathering: gathering,
            ended: { end.come(because: $0) }, logged: { node.tellOthers([.log]) })
        // The writer and its connection were created here and have no other references, so the thread may own them.
        nonisolated(unsafe) let writer = PostgresWriter(setting, connection: connection, queue: queue, status: status)
        do {
            writing = try Thread("writer") { writer.run() }
        } catch {
            pool.stop()
            browser.stop()
            throw error
        }
        super.init(
            epoch: epoch, accessNews: news, recent: RecentRecords(capacity: 0), changes: changes, queue: queue,
            status: status, readers: pool, browser: browser, hasOtherWriters: true)
    }

    /// How a program stands to the others that use the database.
    private enum Standing {
        /// No other program uses it.
        case alone
        /// Others serve it too.
        case besideOthers
        /// Others serve it, and this one does not.
        case guest
    }

    /// Takes the right to serve, which servers share.
    private static func begin(
        on connection: PostgreSQLConnection, _ options: PostgresStoreOptions, mayBeGuest: Bool
    ) throws -> Standing {
        let isAlone = try connection.tryLock(.serving)
        if mayBeGuest { return isAlone ? .alone : .guest }
        // One that is alone lets others in only after it has the schema checked and former work ended.
        guard try isAlone || connection.waitForLock(.serving, .shared, atMost: options.servingPatience) else {
            throw StoreError.unavailable(PostgresWriter.inUse)
        }
        return isAlone ? .alone : .besideOthers
    }

    /// Checks the schema, leaves the mark of a server that begins, and returns the epoch.
    private static func prepare(_ database: Connection, _ standing: Standing, as name: String) throws -> Epoch {
        switch standing {
        case .guest:
            guard try Migrator().isUpToDate(database) else {
                throw StoreError.incompatible(
                    "the server that uses the database is of an older version than this program")
            }
        case .alone, .besideOthers:
            try Migrator().checkIsServable(database)
            try DatabaseHistory.settle(on: database)
            try database.withTransaction(for: .writing) {
                if standing == .alone {
                    try database.endWorkOfFormerServer()
                    try database.run("DELETE FROM writers")
                    try database.run("DELETE FROM nodes")
                }
                try database.run("INSERT INTO writers (name, groups) VALUES (?, 0)", .text(name))
            }
        }
        return try StoreIdentity.establish(on: database)
    }

    /// The size of the database in bytes when it was last measured: at the opening, and then each minute for a server.
    public var size: Int { node.size }

    /// Follows the other nodes until the task is cancelled.
    public func heedOthers(_ nodes: OtherNodes) async {
        guard let following = try? Thread("nodes", { [node] in node.run(nodes) }) else { return }
        await withTaskCancellationHandler {
            await following.join()
        } onCancel: {
            node.stop()
        }
    }

    /// Returns whether the other nodes have taken in what was logged so far; waits for that up to `time`.
    public func isHeeded(within time: Duration = .seconds(5)) async throws -> Bool {
        try await holds(within: time) { [self, name = node.name] in
            try await read { try NodeLog($0).isHeard(besides: name) }
        }
    }

    /// How long changes are waited for that may have numbers below what is read. One that waits for its program is ended
    /// long before.
    private static let settling = Duration.seconds(60)

    /// Waits until all groups have ended that are under way. A later one gets higher numbers, because it has its locks
    /// before it takes them.
    override public func settledLogs() async throws -> (changes: Int, classes: Int) {
        let end = ContinuousClock.now + Self.settling
        let (last, begun) = try await browse { try $0.changesUnderWay() }
        var running = begun
        while !running.isEmpty {
            guard ContinuousClock.now < end else {
                throw StoreError.unavailable("a change has been under way for too long")
            }
            try await Task.sleep(for: .milliseconds(5))
            running.formIntersection(try await browse { try $0.changesUnderWay().running })
        }
        return last
    }

    /// Tells other nodes of a change, soon and without a promise.
    public func tellOthers(_ wakeUp: WakeUp) { node.tellOthers([wakeUp]) }

    /// The database's clock, by which all nodes go.
    public var clock: WallClock { node.clock }

    /// Returns whether changes can be written, as far as that is known, and the database answers.
    override public func checkWritable() async -> Bool {
        guard await isReadable() else {
            // The writer learns only from a change that the database is gone.
            await probe()
            return false
        }
        return await super.checkWritable()
    }

    /// Finishes queued changes and reads, and closes the connections.
    public func close() async {
        await closeReaders()
        queue.close()
        await writing.join()
    }
}

/// How a store ends that cannot be served any more: nothing is written or read, and the program learns why.
private final class Ending: Sendable {
    let readers = Mutex<[ReaderPool]>([])
    private let status: WriterStatus
    private let report: @Sendable (PostgresStoreOptions.News) -> Void

    init(_ status: WriterStatus, _ report: @escaping @Sendable (PostgresStoreOptions.News) -> Void) {
        self.status = status
        self.report = report
    }

    func come(because reason: String) {
        status.condition = .stopped("\(reason); this server must be started again")
        // Versions of this history would be taken for those of the former one.
        for pool in readers.withLock({ $0 }) { pool.stop() }
        report(.ended(reason))
    }
}

extension Connection {
    /// Returns the last number of a change that is visible, and the transactions that write. Who writes is asked after what is
    /// visible is settled, and a transaction lets go of its locks after it has become visible.
    fileprivate func changesUnderWay() throws -> (last: (changes: Int, classes: Int), running: Set<String>) {
        let found = try first(
            """
            SELECT (SELECT coalesce(max(seq), 0) FROM changes), (SELECT coalesce(max(seq), 0) FROM class_changes), (
                SELECT string_agg(virtualtransaction, ' ') FROM pg_locks
                WHERE locktype = 'advisory' AND granted AND classid::bigint = ? AND objid::bigint = ?
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            """, .integer(AdvisoryLock.writing.rawValue >> 32), .integer(AdvisoryLock.writing.rawValue & 0xffff_ffff)
        ) { (last: (changes: $0.integer(0), classes: $0.integer(1)), running: $0.optionalText(2) ?? "") }
        let running = found?.running.split(separator: " ").map(String.init) ?? []
        return (found?.last ?? (0, 0), Set(running))
    }
}
