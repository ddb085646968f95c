import DataStore
import Database
import Glibc
import PostgreSQL
import PostgreSQLTestKit
import PostgresStore
import RelationalStore
import Shared
import TestKit
import Testing

/// A store on a server of its own, with a table `t` of numbers, and what it told of them.
private struct FaultyPlace {
    struct TookTooLong: Error {}

    let cluster: PostgreSQLCluster
    let store: PostgresStore
    let told = Recorder<StoreEvent>()

    init() async throws {
        cluster = try PostgreSQLCluster()
        var options = PostgresStoreOptions(cluster.settings)
        options.readers = 1
        options.reconnectDelay = .zero
        options.servingPatience = .zero
        _ = try PostgresStores(options).migrate()
        store = try PostgresStore.open(options) { [told] commit in
            for event in commit.events { told.record(event) }
        }
        try await store.write { try $0.connection.execute("CREATE TABLE t (n BIGINT PRIMARY KEY)") }
    }

    /// Inserts a number, and tells of it.
    @Sendable func insert(_ number: Int) async throws {
        try await store.write {
            try $0.connection.run("INSERT INTO t VALUES (?)", .integer(number))
            $0.post(Self.event(number))
        }
    }

    static func event(_ number: Int) -> StoreEvent { .accessChanged(AccountID("a\(number)")) }

    func numbers() async throws -> [Int] {
        try await store.read { try $0.all("SELECT n FROM t ORDER BY n") { $0.integer(0) } }
    }

    /// Asks until a server process waits for an event of this name. Between two questions the change may go on.
    func waitUntilOneWaits(for event: String) async throws {
        let watcher = try PostgreSQLConnection(cluster.settings)
        let question = """
            SELECT count(*) FROM pg_stat_activity WHERE ? IN (wait_event, wait_event_type) AND query = 'COMMIT'
            """
        let end = ContinuousClock.now + .seconds(Patience.seconds)
        while try watcher.first(question, .text(event), read: { $0.integer(0) }) != 1 {
            guard ContinuousClock.now < end else { throw TookTooLong() }
            await Task.yield()
        }
    }

    /// Starts the server again so that every COMMIT is durable and then waits for a standby that is not there.
    func haltCommits() throws {
        cluster.stop()
        try cluster.start(["synchronous_standby_names": "nowhere"])
    }

    /// Ends every other connection.
    func endConnections() throws {
        try PostgreSQLConnection(cluster.settings).run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = ?",
            .text(cluster.user))
    }
}

@Suite struct `A PostgreSQL store whose COMMIT has no answer` {
    @Test func `finds on a new connection that it is durable, and the caller never learns of it`() async throws {
        let place = try await FaultyPlace()
        try place.haltCommits()
        let change = Task { try await place.insert(1) }
        try await place.waitUntilOneWaits(for: "SyncRep")
        try place.endConnections()
        try await change.value
        #expect(place.told.items == [FaultyPlace.event(1)])
        #expect(try await place.numbers() == [1])
        place.cluster.kill()
        await place.store.close()
    }

    @Test func `tells of it once the server is back, if it is durable`() async throws {
        let place = try await FaultyPlace()
        try place.haltCommits()
        let change = Task { try await place.insert(1) }
        try await place.waitUntilOneWaits(for: "SyncRep")
        place.cluster.kill()
        await #expect(throws: StoreError.self) { try await change.value }
        #expect(place.told.items.isEmpty)
        try place.cluster.start()
        try await place.insert(2)
        #expect(place.told.items == [FaultyPlace.event(1), FaultyPlace.event(2)])
        #expect(try await place.numbers() == [1, 2])
        await place.store.close()
    }

    @Test func `never tells of it, if it is not durable`() async throws {
        let place = try await FaultyPlace()
        // The commit checks a constraint first, and waits there for a lock.
        try await place.store.write {
            try $0.connection.execute(
                """
                CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION wait()
                """)
        }
        let holder = try PostgreSQLConnection(place.cluster.settings)
        try holder.run("SELECT pg_advisory_lock(7)")
        let change = Task { try await place.insert(1) }
        try await place.waitUntilOneWaits(for: "Lock")
        place.cluster.kill()
        await #expect(throws: StoreError.self) { try await change.value }
        try place.cluster.start()
        try await place.insert(2)
        #expect(place.told.items == [FaultyPlace.event(2)])
        #expect(try await place.numbers() == [2])
        await place.store.close()
    }
}

@Suite struct `A PostgreSQL store whose connections have ended` {
    @Test func `makes the next change and the next read over new ones`() async throws {
        let place = try await FaultyPlace()
        try await place.insert(1)
        try place.endConnections()
        #expect(try await place.numbers() == [1])
        try await place.insert(2)
        #expect(await place.store.checkWritable())
        #expect(try await place.numbers() == [1, 2])
        await place.store.close()
    }

    @Test func `says what is wrong while the server is away, and takes changes when it is back`() async throws {
        let place = try await FaultyPlace()
        place.cluster.stop()
        await #expect(throws: StoreError.self) { try await place.insert(1) }
        #expect(await !place.store.checkWritable())
        #expect(place.store.obstacle?.hasPrefix("the database cannot be reached") == true)
        try place.cluster.start()
        #expect(await place.store.checkWritable())
        #expect(place.store.obstacle == nil)
        await place.store.close()
    }

    @Test func `takes no changes any more if the database was replaced meanwhile`() async throws {
        let place = try await FaultyPlace()
        try place.endConnections()
        try PostgreSQLConnection(place.cluster.settings).run("UPDATE store SET epoch = 'another'")
        await #expect(throws: StoreError.unavailable("the database was replaced meanwhile, or recovered")) {
            try await place.insert(1)
        }
        #expect(await !place.store.checkWritable())
        #expect(place.store.obstacle?.hasSuffix("this server must be started again") == true)
        await place.store.close()
    }

    @Test func `begins a new epoch on another timeline, and ends those who served the former one`() async throws {
        let cluster = try PostgreSQLCluster()
        let news = Recorder<String>()
        var options = PostgresStoreOptions(cluster.settings)
        options.readers = 1
        options.reconnectDelay = .zero
        options.servingPatience = .zero
        options.report = { if case .ended(let why) = $0 { news.record(why) } }
        _ = try PostgresStores(options).migrate()
        let store = try PostgresStore.open(options)
        try PostgreSQLConnection(cluster.settings).run("INSERT INTO one_use_counts VALUES ('x', '', '', 1)")
        cluster.stop()
        // The end of its log is where a new timeline begins.
        let file = try #require(fopen("\(cluster.folder)/data/recovery.signal", "w"))
        fclose(file)
        try cluster.start(["restore_command": "false"])
        let why = "the database was replaced meanwhile, or recovered"
        // For a moment it only reads.
        var refusal: (any Error)?
        let end = ContinuousClock.now + .seconds(Patience.seconds)
        while news.items.isEmpty {
            guard ContinuousClock.now < end else { throw FaultyPlace.TookTooLong() }
            do { try await store.write { _ in } } catch { refusal = error }
        }
        #expect(refusal as? StoreError == .unavailable(why))
        await #expect(throws: StoreError.self) { try await store.read { _ in } }
        #expect(news.items == [why])
        let epoch = store.epoch
        await store.close()
        let next = try PostgresStore.open(options)
        #expect(next.epoch != epoch)
        // People stay signed in when a standby takes over.
        #expect(try await next.read { try $0.first("SELECT count(*) FROM one_use_counts") { $0.integer(0) } } == 1)
        let again = next.epoch
        await next.close()
        cluster.stop()
        try cluster.start()
        let later = try PostgresStore.open(options)
        #expect(later.epoch == again)
        await later.close()
    }

    @Test func `begins a new epoch where a dump was restored, and ends what opens the store for a time`() async throws {
        let cluster = try PostgreSQLCluster()
        var options = PostgresStoreOptions(cluster.settings)
        options.readers = 1
        _ = try PostgresStores(options).migrate()
        func epoch() async throws -> Epoch {
            let store = try PostgresStore.open(options)
            await store.close()
            return store.epoch
        }
        let first = try await epoch()
        let connection = try PostgreSQLConnection(cluster.settings)
        try connection.run("INSERT INTO one_use_counts VALUES ('x', '', '', 1)")
        func counts() throws -> Int? { try connection.first("SELECT count(*) FROM one_use_counts") { $0.integer(0) } }
        #expect(try await epoch() == first)
        #expect(try counts() == 1)
        // As `pg_restore --clean` does.
        try connection.execute(
            """
            ALTER TABLE store RENAME TO former;
            CREATE TABLE store (LIKE former INCLUDING ALL);
            INSERT INTO store SELECT * FROM former;
            DROP TABLE former;
            """)
        let restored = try await epoch()
        #expect(restored != first)
        // Which of what is used once was used since the dump is not known.
        #expect(try counts() == 0)
        #expect(try await epoch() == restored)
    }

    @Test func `takes no changes while another program has the database for itself`() async throws {
        let place = try await FaultyPlace()
        try place.endConnections()
        let migrating = try PostgreSQLConnection(place.cluster.settings)
        // The lock that all servers share.
        try migrating.run("SELECT pg_advisory_lock(?)", .integer(0x4772_6164_0000_0001))
        await #expect(throws: StoreError.unavailable("another program migrates or copies the database")) {
            try await place.insert(1)
        }
        try migrating.run("SELECT pg_advisory_unlock_all()")
        try await place.insert(2)
        #expect(try await place.numbers() == [2])
        await place.store.close()
    }

    @Test func `rolls back a group whose program hangs, so that the other nodes go on`() async throws {
        let place = try await FaultyPlace()
        var options = PostgresStoreOptions(place.cluster.settings)
        options.readers = 1
        options.writingPatience = .seconds(1)
        let hanging = try PostgresStore.open(options)
        let holder = try PostgreSQLConnection(place.cluster.settings)
        try holder.run("SELECT pg_advisory_lock(9)")
        let change = Task { [settings = place.cluster.settings] in
            try await hanging.write {
                try $0.connection.run("INSERT INTO t VALUES (1)")
                _ = try $0.connection.changes
                try PostgreSQLConnection(settings).run("SELECT pg_advisory_lock(9)")
            }
        }
        let end = ContinuousClock.now + .seconds(Patience.seconds)
        while try holder.first("SELECT 1 FROM pg_locks WHERE NOT granted", read: { $0.integer(0) }) == nil {
            guard ContinuousClock.now < end else { throw FaultyPlace.TookTooLong() }
            await Task.yield()
        }
        // It waits until the server has ended the other transaction.
        try await place.insert(2)
        try holder.run("SELECT pg_advisory_unlock_all()")
        await #expect(throws: StoreError.self) { try await change.value }
        #expect(try await place.numbers() == [2])
        await hanging.close()
        await place.store.close()
    }
}

@Suite struct `A database of PostgreSQL that cannot be served` {
    private func refusal(_ options: PostgresStoreOptions) -> String? {
        let error = #expect(throws: StoreError.self) { try PostgresStore.open(options) }
        let checked = #expect(throws: StoreError.self) { try PostgresStores(options).check() }
        #expect(error == checked)
        switch error {
        case .unavailable(let why)?, .incompatible(let why)?: return why
        default: return nil
        }
    }

    @Test func `has no tables, or lacks a step, until it is migrated`() async throws {
        let database = try StoreDatabase(isEmpty: true)
        let options = PostgresPlace.options(database)
        #expect(refusal(options) == "the database has no tables yet: gradecast migrate makes them")
        let steps = try PostgresStores(options).migrate()
        #expect(try PostgresStores(options).migrate() == [])
        await (try PostgresStore.open(options)).close()
        let connection = try PostgreSQLConnection(database.settings)
        try connection.run("DELETE FROM migrations WHERE name = ?", .text(steps.last ?? ""))
        #expect(
            refusal(options)
                == "the database's schema is a step behind this program: stop the server and run gradecast migrate")
    }

    @Test(arguments: ["LATIN1", "SQL_ASCII"])
    func `is refused if it does not hold texts in every script`(encoding: String) throws {
        var settings = try PostgreSQLCluster.shared.get().settings
        let name = "encoded_\(encoding.lowercased())"
        try PostgreSQLConnection(settings).run(
            "CREATE DATABASE \(name) ENCODING '\(encoding)' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        settings.database = name
        let options = PostgresStoreOptions(settings)
        let words = "the database's encoding is \(encoding): make it anew with ENCODING 'UTF8' TEMPLATE template0"
        #expect(refusal(options) == words)
        #expect(throws: StoreError.incompatible(words)) { try PostgresStores(options).migrate() }
    }

    @Test func `is not migrated while a server uses it`() async throws {
        let place = try PostgresPlace.new()
        #expect(try place.factory.migrate() == [])
        let connection = try PostgreSQLConnection(place.database.settings)
        // One step alone may be such that a server goes on beside it.
        try connection.run("DELETE FROM migrations WHERE number > (SELECT max(number) - 2 FROM migrations)")
        #expect(throws: StoreError.unavailable("another server uses the database")) { try place.factory.migrate() }
        await place.close()
    }

    @Test func `is absent`() throws {
        var options = PostgresStoreOptions(try PostgreSQLCluster.shared.get().settings)
        options.settings.database = "absent"
        #expect(refusal(options)?.hasPrefix("there is no database absent: ") == true)
    }

    @Test func `asks for another password, which is asked for again at each connection`() async throws {
        var wanted = PostgreSQLCluster.Options()
        wanted.asksForPassword = true
        let cluster = try PostgreSQLCluster(wanted)
        var options = PostgresStoreOptions(cluster.settings)
        let password = Recorder<[UInt8]>()
        password.record(Array("wrong".utf8))
        options.password = { password.items.last ?? [] }
        #expect(refusal(options)?.hasPrefix("the server does not let the user gradecast in: ") == true)
        password.record(Array(cluster.password.utf8))
        #expect(try PostgresStores(options).migrate().isEmpty == false)
    }
}
