import SQLite
import Shared

/// Rehearsals and the progress of imports in a file of their own beside the store, so that they never wait in the
/// store's writer.
///
/// Nothing in it is truth: a file that is damaged or of another form is thrown away, a backup leaves it out, and a
/// power loss may take the last rehearsal, which can be held again, and how far an import was, which can be sent again.
public final class WorkFile: Sendable {
    /// Rehearsals kept of one program.
    static let kept = 5

    // One connection on one thread, which reads and writes.
    private let thread: ReaderPool

    /// Opens the file, making it when there is none; what a stop interrupted has failed.
    public init(path: String) throws {
        do {
            thread = try ReaderPool(count: 1, capacity: 1_024, makesWay: true) {
                do {
                    return try Self.open(path)
                } catch {
                    DatabaseFile.remove(path)
                    return try Self.open(path)
                }
            }
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Lets what waits finish and closes the file.
    public func close() async { await thread.close() }

    func run<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await thread.read(body)
    }

    private static let form = 4

    private static func open(_ path: String) throws -> Connection {
        try DatabaseFile.makePrivate(path)
        let connection = try Connection(path: path, access: .create)
        // A short log, so that what a checkpoint syncs keeps the disk from the store for a moment only.
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 256")
        try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA mmap_size = 0")
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard version == 0 || version == form else { throw StoreError.incompatible("rehearsals of another form") }
        if version == 0 { try connection.withTransaction(.immediate) { try connection.execute(script) } }
        try connection.run("UPDATE rehearsals SET state = 'failed' WHERE state = 'running'")
        try connection.run("UPDATE imports SET state = 'failed' WHERE state = 'running'")
        return connection
    }

    private static let script = """
        CREATE TABLE rehearsals (
            id TEXT PRIMARY KEY,
            program TEXT NOT NULL,
            subject TEXT NOT NULL,
            executable TEXT,
            published INTEGER,
            published_configuration TEXT NOT NULL,
            proposed_configuration TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            state TEXT NOT NULL,
            digest TEXT,
            done INTEGER NOT NULL,
            total INTEGER NOT NULL,
            figures INTEGER NOT NULL,
            letters INTEGER NOT NULL,
            outcomes INTEGER NOT NULL,
            bars INTEGER NOT NULL,
            records INTEGER NOT NULL,
            refused INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX rehearsals_of_program ON rehearsals (program, id);
        CREATE TABLE rehearsed (
            rehearsal TEXT NOT NULL,
            record TEXT NOT NULL,
            version INTEGER NOT NULL,
            rows TEXT,
            PRIMARY KEY (rehearsal, record)
        ) STRICT;
        CREATE INDEX rehearsed_noteworthy ON rehearsed (rehearsal, record) WHERE rows IS NOT NULL;
        CREATE TABLE imports (
            id TEXT PRIMARY KEY,
            program TEXT NOT NULL,
            account TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            key TEXT,
            digest BLOB,
            total INTEGER NOT NULL,
            state TEXT NOT NULL,
            done INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            refused INTEGER NOT NULL,
            rows TEXT
        ) STRICT;
        CREATE INDEX imports_of_key ON imports (account, key) WHERE key IS NOT NULL;
        PRAGMA user_version = 4;
        """
}
