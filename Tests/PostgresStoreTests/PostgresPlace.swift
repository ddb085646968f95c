import Cryptography
import DataStore
import Database
import PostgreSQL
import PostgreSQLTestKit
import PostgresStore
import Records
import RelationalStore
import Shared
import StoreContract
import Synchronization
import TestKit

/// A database of one test on the server that all tests share, or on one of its own. On the shared server it is emptied for
/// the next test with the last reference.
final class StoreDatabase: Sendable {
    let settings: PostgreSQLSettings
    /// The server, if it is not the shared one: it may be killed.
    let ownServer: PostgreSQLCluster?
    private let isEmpty: Bool

    /// A database with the schema of this program and nothing in it, of which others are copies.
    private static let template = Result { () throws -> (name: String, things: String) in
        let settings = try create("store_template", from: "template0")
        let connection = try PostgreSQLConnection(settings)
        try Migrator().bringUpToDate(Connection(connection))
        return (settings.database, try connection.first(counting) { $0.text(0) } ?? "")
    }
    /// Copies that no test uses any more and that are as they were made.
    private static let unused = Mutex<[PostgreSQLSettings]>([])

    /// Makes a database; without tables if `isEmpty`.
    init(isEmpty: Bool = false) throws {
        self.isEmpty = isEmpty
        ownServer = nil
        if !isEmpty, let settings = Self.unused.withLock({ $0.popLast() }) {
            self.settings = settings
        } else {
            let template = isEmpty ? "template0" : try Self.template.get().name
            settings = try Self.create("store_\(UInt64.random(in: .min ... .max))", from: template)
        }
    }

    /// Takes a database of a server that ends with its last reference.
    init(_ name: String, on server: PostgreSQLCluster) {
        isEmpty = false
        ownServer = server
        var settings = server.settings
        settings.database = name
        self.settings = settings
    }

    /// Makes a server with a database that has the tables of this program.
    static func onOwnServer() throws -> StoreDatabase {
        let server = try PostgreSQLCluster()
        try PostgreSQLConnection(server.settings).run("CREATE DATABASE grades TEMPLATE template0")
        let database = StoreDatabase("grades", on: server)
        try Migrator().bringUpToDate(Connection(try PostgreSQLConnection(database.settings)))
        return database
    }

    deinit {
        guard ownServer == nil else { return }
        if !isEmpty, (try? empty()) == true { return Self.unused.withLock { $0.append(settings) } }
        let cluster = try? PostgreSQLCluster.shared.get()
        let connection = cluster.flatMap { try? PostgreSQLConnection($0.settings) }
        // What is left goes with the server.
        try? connection?.run("DROP DATABASE \(settings.database) WITH (FORCE)")
    }

    /// Deletes all rows, which takes a twentieth of the time of another copy.
    ///
    /// - Returns: Whether the database is as it was made: `false` if a test changed its schema or is still connected.
    private func empty() throws -> Bool {
        let connection = try PostgreSQLConnection(settings)
        try connection.execute(Self.emptying)
        return try connection.first(Self.counting) { $0.text(0) } == Self.template.get().things
    }

    private static let emptying = """
        DO $$
        DECLARE
            name TEXT;
        BEGIN
            -- Everything goes, so references need no look.
            SET LOCAL session_replication_role = replica;
            FOR name IN SELECT relname FROM pg_class
                WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                    AND relname NOT IN ('migrations', 'feed_progress')
            LOOP
                EXECUTE format('DELETE FROM %I', name);
            END LOOP;
            FOR name IN SELECT relname FROM pg_class
                WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace AND relname <> 'migrations_number_seq'
            LOOP
                PERFORM setval(name::regclass, 1, false);
            END LOOP;
            UPDATE feed_progress SET changes = 0, audit = 0, classes = 0, events = 0;
        END $$
        """

    /// How many things of each sort the schema has, and how many other connections there are. They are not added up: a
    /// step that a test took away is not made up for by a connection that it left.
    private static let counting = """
        SELECT concat_ws(' ', (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_proc),
            (SELECT count(*) FROM pg_trigger), (SELECT count(*) FROM migrations),
            (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()))
        """

    private static func create(_ name: String, from template: String) throws -> PostgreSQLSettings {
        var settings = try PostgreSQLCluster.shared.get().settings
        try PostgreSQLConnection(settings).run("CREATE DATABASE \(name) TEMPLATE \(template)")
        settings.database = name
        return settings
    }
}

/// A store in a database of its own.
struct PostgresPlace: StoreUnderTest {
    /// What this kind of store cannot be asked for.
    struct Absent: Error {}

    let database: StoreDatabase
    let postgres: PostgresStore
    let recorder: Recorder<Commit>
    /// The databases of other places, which last as long as this one.
    private let others = Recorder<StoreDatabase>()

    var data: DataStore { DataStore(postgres, copies: nil) }
    var factory: any DataStoreFactory { PostgresStores(Self.options(database)) }
    var commits: [Commit] { recorder.items }

    static func new() throws -> PostgresPlace { try open(StoreDatabase()) }

    /// Opens the database, which is reached through other `settings` than its own if there are any, for a store that commits
    /// groups of so many changes.
    static func open(
        _ database: StoreDatabase, through settings: PostgreSQLSettings? = nil, groupsOf changes: Int = 64,
        telling recorder: Recorder<Commit> = Recorder()
    ) throws -> PostgresPlace {
        var options = options(database)
        if let settings { options.settings = settings }
        options.groupChanges = changes
        let store = try PostgresStore.open(options) { recorder.record($0) }
        // What other nodes change is read from the database by the laws.
        store.accessNews.follow(until: .now + .seconds(3_600))
        return PostgresPlace(database: database, postgres: store, recorder: recorder)
    }

    /// The server of the tests lets few clients in.
    static func options(_ database: StoreDatabase) -> PostgresStoreOptions {
        var options = PostgresStoreOptions(database.settings)
        options.readers = 2
        options.servingPatience = .zero
        options.reconnectDelay = .zero
        return options
    }

    func raiseAccess(of subject: AccessSubject) async throws {
        try await postgres.write { try $0.raiseAccess(of: subject) }
    }

    func failToRaiseAccess(of subject: AccessSubject) async throws {
        try await postgres.failToRaiseAccess(of: subject)
    }

    func inOneBatch(_ changes: [@Sendable (any RecordStore) async throws -> Void]) async -> [(any Error)?] {
        await postgres.inOneBatch(changes)
    }

    func reopened() async throws -> any StoreUnderTest {
        await postgres.close()
        return try Self.open(database)
    }

    func afterCrash() async throws -> any StoreUnderTest {
        guard let server = database.ownServer else { throw Absent() }
        server.kill()
        try server.start()
        return try Self.open(database)
    }

    func restored() async throws -> any StoreUnderTest {
        guard let server = database.ownServer else { throw Absent() }
        try server.copy(database.settings.database, as: "restored")
        return try Self.open(StoreDatabase("restored", on: server))
    }

    func otherPlace(_ name: String) -> any DataStoreFactory {
        // If the server makes none, opening it says why.
        guard let other = try? StoreDatabase(isEmpty: true) else {
            var options = Self.options(database)
            options.settings.database = name
            return PostgresStores(options)
        }
        others.record(other)
        return MigratingStores(stores: PostgresStores(Self.options(other)))
    }

    func backupPlace(_ name: String) -> String { name }

    func small() async throws -> any StoreUnderTest { throw Absent() }

    func faults() async throws -> [String] {
        let diagnosis = try factory.examine()
        return diagnosis.fileFaults + diagnosis.trailFaults.prefix(5).map { "\($0)" } + diagnosis.indexFaults
    }

    func close() async { await postgres.close() }
}

/// A place whose tables are made when it is opened, as those of a file are.
private struct MigratingStores: DataStoreFactory {
    let stores: PostgresStores

    var place: String { stores.place }
    var exists: Bool { stores.exists }
    var isServed: Bool { stores.isServed }

    func open(
        mayBeGuest: Bool, observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) throws -> DataStore {
        _ = try stores.migrate()
        return try stores.open(mayBeGuest: mayBeGuest, observer: observer, gathering: gathering)
    }

    func migrate() throws -> [String] { try stores.migrate() }
    func check() throws { try stores.check() }
    func backUp(to destination: String, replaces: Bool, progress: @escaping CopyProgress) throws {
        try stores.backUp(to: destination, replaces: replaces, progress: progress)
    }
    func restore(from backup: String, progress: @escaping CopyProgress) throws {
        try stores.restore(from: backup, progress: progress)
    }
    func examine() throws -> Diagnosis { try stores.examine() }
    func passwords(pepper: Pepper?) throws -> PasswordCensus { try stores.passwords(pepper: pepper) }
    func institution(named name: String) throws -> StoredInstitution? { try stores.institution(named: name) }
    func builds() throws -> (any BuildCensus)? { try stores.builds() }
    func links() throws -> any LinkCensus { try stores.links() }
}
