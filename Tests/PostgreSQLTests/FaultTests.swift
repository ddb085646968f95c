import PostgreSQL
import PostgreSQLTestKit
import Testing
import TestKit

@Suite struct `When the server` {
    let cluster: PostgreSQLCluster
    let connection: PostgreSQLConnection

    init() throws {
        cluster = try PostgreSQLCluster()
        connection = try PostgreSQLConnection(cluster.settings)
        try connection.execute("CREATE TABLE t (n BIGINT PRIMARY KEY)")
    }

    private func insert(_ number: Int) throws { try connection.run("INSERT INTO t VALUES (?)", .integer(number)) }

    private func numbers() throws -> [Int] {
        try PostgreSQLConnection(cluster.settings).all("SELECT n FROM t ORDER BY n") { $0.integer(0) }
    }

    @Test func `is killed in a transaction, the transaction has left nothing`() throws {
        try connection.begin(.readCommitted)
        try insert(1)
        let lost = try connection.assignTransactionID()
        try insert(2)
        cluster.kill()
        let error = #expect(throws: PostgreSQLError.self) { try connection.flush() }
        #expect(error?.kind == .connectionLost)
        #expect(error?.isOutcomeUnknown == false)
        #expect(!connection.isUsable && !connection.isInTransaction)
        connection.rollBack()
        let refused = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(cluster.settings) }
        #expect(refused?.kind == .connectionLost)
        try cluster.start()
        #expect(try PostgreSQLConnection(cluster.settings).status(of: lost) == .aborted)
        #expect(try numbers() == [])
    }

    @Test func `is killed after a COMMIT became durable and before it was answered, it is found committed`() throws {
        // The commit is on the disk and then waits for a standby that is not there.
        cluster.stop()
        try cluster.start(["synchronous_standby_names": "nowhere"])
        let connection = try PostgreSQLConnection(cluster.settings)
        let watcher = try PostgreSQLConnection(cluster.settings)
        try connection.begin(.readCommitted)
        let transaction = try connection.assignTransactionID()
        try connection.run("INSERT INTO t VALUES (1)")
        let handed = Handed(connection: connection)
        let end = try BackgroundWork { #expect(throws: PostgreSQLError.self) { try handed.connection.commit() } }
        try watcher.waitUntil(connection.processID, waitsFor: "SyncRep")
        cluster.kill()
        let error = try end.finish().flatMap(\.self)
        #expect(error?.kind == .connectionLost)
        #expect(error?.isOutcomeUnknown == true)
        try cluster.start()
        #expect(try PostgreSQLConnection(cluster.settings).status(of: transaction) == .committed)
        #expect(try numbers() == [1])
    }

    @Test func `is killed in a COMMIT that is not durable yet, it is found aborted`() throws {
        // The commit checks a constraint first, and waits there for a lock.
        try connection.execute(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait()
            """)
        let holder = try PostgreSQLConnection(cluster.settings)
        try holder.run("SELECT pg_advisory_lock(7)")
        try connection.begin(.readCommitted)
        let transaction = try connection.assignTransactionID()
        try insert(1)
        let handed = Handed(connection: connection)
        let end = try BackgroundWork { #expect(throws: PostgreSQLError.self) { try handed.connection.commit() } }
        try holder.waitUntil(connection.processID, waitsFor: "Lock")
        cluster.kill()
        let error = try end.finish().flatMap(\.self)
        #expect(error?.isOutcomeUnknown == true)
        try cluster.start()
        #expect(try PostgreSQLConnection(cluster.settings).status(of: transaction) == .aborted)
        #expect(try numbers() == [])
    }

    @Test func `is killed in a statement that is its own transaction, its outcome is unknown`() throws {
        try connection.execute(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END $$;
            CREATE TRIGGER wait BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION wait()
            """)
        let holder = try PostgreSQLConnection(cluster.settings)
        try holder.run("SELECT pg_advisory_lock(7)")
        let handed = Handed(connection: connection)
        let end = try BackgroundWork {
            #expect(throws: PostgreSQLError.self) { try handed.connection.run("INSERT INTO t VALUES (1)") }
        }
        try holder.waitUntil(connection.processID, waitsFor: "Lock")
        cluster.kill()
        let error = try end.finish().flatMap(\.self)
        #expect(error?.isOutcomeUnknown == true)
        // A statement that only reads has no outcome.
        let read = #expect(throws: PostgreSQLError.self) { try holder.number("SELECT 1") }
        #expect(read?.isOutcomeUnknown == false)
    }

    @Test func `is halted, a call ends after the time for answers, and so does connecting`() throws {
        try insert(1)
        cluster.pause()
        connection.answerTimeout = .milliseconds(50)
        let error = #expect(throws: PostgreSQLError.self) { try numbers(on: connection) }
        #expect(error?.kind == .connectionLost)
        #expect(error?.message == "the server did not answer in time")
        #expect(!connection.isUsable)
        var settings = cluster.settings
        settings.connectTimeout = .milliseconds(50)
        let refused = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(settings) }
        #expect(refused?.kind == .connectionLost)
        cluster.resume()
        #expect(try numbers() == [1])
    }

    @Test func `is stopped and started, old connections learn of it, and new ones work`() throws {
        try insert(1)
        let idle = try PostgreSQLConnection(cluster.settings)
        try connection.begin(.readCommitted)
        try insert(2)
        try connection.flush()
        try cluster.restart()
        for error in [
            #expect(throws: PostgreSQLError.self) { try connection.commit() },
            #expect(throws: PostgreSQLError.self) { try idle.number("SELECT 1") },
        ] {
            #expect(error?.kind == .shutdown)
            #expect(error?.state == "57P01")
        }
        #expect(try numbers() == [1])
    }

    private func numbers(on connection: PostgreSQLConnection) throws -> [Int] {
        try connection.all("SELECT n FROM t ORDER BY n") { $0.integer(0) }
    }
}

@Suite struct `A full disk` {
    @Test(.enabled(if: PostgreSQLCluster.canLimitDisk, "only root can mount a small file system"))
    func `fails the statement, and what there was can be read`() throws {
        var options = PostgreSQLCluster.Options()
        options.smallDisk = 4 << 20
        let cluster = try PostgreSQLCluster(options)
        let connection = try PostgreSQLConnection(cluster.settings)
        try connection.execute("CREATE TABLESPACE small LOCATION '\(cluster.smallDisk)'")
        try connection.execute("CREATE TABLE t (n BIGINT, bytes BYTEA) TABLESPACE small")
        try connection.execute("ALTER TABLE t ALTER COLUMN bytes SET STORAGE EXTERNAL")
        try connection.run("INSERT INTO t VALUES (1, ?)", .blob([1, 2, 3]))
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.withTransaction(.readCommitted) {
                let large = SQLValue.blob(Array(repeating: 7, count: 8 << 20))
                try connection.run("INSERT INTO t VALUES (2, ?)", large)
            }
        }
        #expect(error?.kind == .diskFull)
        #expect(error?.state == "53100")
        #expect(connection.isUsable && !connection.isInTransaction)
        #expect(try connection.all("SELECT n FROM t") { $0.integer(0) } == [1])
    }
}
