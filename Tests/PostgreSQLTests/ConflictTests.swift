import PostgreSQL
import PostgreSQLTestKit
import Testing
import TestKit

@Suite struct `Of two connections` {
    let database: TestDatabase
    let one: PostgreSQLConnection
    let two: PostgreSQLConnection
    private let add = "UPDATE t SET n = n + 1 WHERE id = ?"

    init() throws {
        database = try TestDatabase()
        one = try database.connect()
        two = try database.connect()
        try one.execute("CREATE TABLE t (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)")
        try one.execute("INSERT INTO t VALUES (1, 0), (2, 0)")
    }

    @Test func `the one that writes a row changed since its snapshot is in conflict`() throws {
        try one.begin(.repeatableRead)
        #expect(try one.number("SELECT n FROM t WHERE id = 1") == 0)
        try two.run(add, .integer(1))
        try one.run(add, .integer(1))
        let error = #expect(throws: PostgreSQLError.self) { try one.commit() }
        #expect(error?.kind == .conflict)
        #expect(error?.state == "40001")
        #expect(error?.isRetryable == true)
        one.rollBack()
        try one.withTransaction(.repeatableRead) { try one.run(add, .integer(1)) }
        #expect(try one.number("SELECT n FROM t WHERE id = 1") == 2)
    }

    @Test func `one is in conflict when each writes what the other has read`() throws {
        for connection in [one, two] {
            try connection.begin(.serializable)
            #expect(try connection.number("SELECT sum(n)::bigint FROM t") == 0)
        }
        try one.run(add, .integer(1))
        try two.run(add, .integer(2))
        try one.commit()
        let error = #expect(throws: PostgreSQLError.self) { try two.commit() }
        #expect(error?.kind == .conflict)
        #expect(error?.isOutcomeUnknown == false)
        two.rollBack()
        #expect(try two.number("SELECT sum(n)::bigint FROM t") == 1)
    }

    @Test func `exactly one is in conflict when each waits for the other`() throws {
        try one.begin(.readCommitted)
        try two.begin(.readCommitted)
        try one.run(add, .integer(1))
        try one.flush()
        try two.run(add, .integer(2))
        try two.flush()
        let handed = Handed(connection: two)
        let add = add
        let background = try BackgroundWork { () throws -> PostgreSQLError? in
            do throws(PostgreSQLError) {
                try handed.connection.run(add, .integer(1))
                try handed.connection.commit()
                return nil
            } catch {
                handed.connection.rollBack()
                return error
            }
        }
        try database.connect().waitUntil(two.processID, waitsFor: "Lock")
        var errors: [PostgreSQLError] = []
        do {
            try one.run(add, .integer(2))
            try one.commit()
        } catch {
            one.rollBack()
            errors.append(error)
        }
        if let error = try background.finish().flatMap(\.self) { errors.append(error) }
        #expect(errors.map(\.kind) == [.conflict])
        #expect(errors.map(\.state) == ["40P01"])
        #expect(try one.all("SELECT n FROM t") { $0.integer(0) } == [1, 1])
    }

    @Test func `the one that finds a lock gives up after its time`() throws {
        let hasty = try database.connect { $0.lockTimeout = .milliseconds(50) }
        try one.begin(.readCommitted)
        try one.run(add, .integer(1))
        try one.flush()
        let error = #expect(throws: PostgreSQLError.self) {
            try hasty.withTransaction(.readCommitted) { try hasty.run(add, .integer(1)) }
        }
        #expect(error?.kind == .lockTimeout)
        #expect(error?.statement == add)
        try one.commit()
        try hasty.run(add, .integer(1))
        #expect(try one.number("SELECT n FROM t WHERE id = 1") == 2)
    }

    @Test func `a slow one is stopped, and goes on`() throws {
        let hasty = try database.connect { $0.statementTimeout = .milliseconds(50) }
        let error = #expect(throws: PostgreSQLError.self) { try hasty.run("SELECT pg_sleep(3600)") }
        #expect(error?.kind == .statementTimeout)
        #expect(hasty.isUsable)
        try hasty.execute("SET statement_timeout TO 0")
        #expect(try hasty.number("SELECT 1") == 1)
    }

    @Test func `an idle one loses its transaction, and learns why`() throws {
        let idle = try database.connect { $0.idleTransactionTimeout = .milliseconds(50) }
        try idle.begin(.readCommitted)
        try idle.run(add, .integer(1))
        let error = #expect(throws: PostgreSQLError.self) {
            try idle.flush()
            while true { _ = try idle.waitForNotifications(until: .now + .seconds(Patience.seconds)) }
        }
        #expect(error?.state == "25P03")
        #expect(error?.kind == .connectionLost)
        #expect(error?.endsConnection == true)
        #expect(error?.isOutcomeUnknown == false)
        #expect(!idle.isUsable && !idle.isInTransaction)
        #expect(try one.number("SELECT n FROM t WHERE id = 1") == 0)
    }

    @Test func `the one that is ended by the other learns why`() throws {
        #expect(try one.number("SELECT pg_terminate_backend(?::int, 60000)", .integer(Int(two.processID))) == 1)
        let error = #expect(throws: PostgreSQLError.self) { try two.number("SELECT 1") }
        #expect(error?.kind == .shutdown)
        #expect(error?.state == "57P01")
        #expect(error?.endsConnection == true)
        let later = #expect(throws: PostgreSQLError.self) { try two.begin(.readCommitted) }
        #expect(later?.kind == .shutdown)
        #expect(later?.isOutcomeUnknown == false)
        two.rollBack()
        #expect(throws: PostgreSQLError.self) { try two.execute("SELECT 1") }
        #expect(throws: PostgreSQLError.self) { try two.waitForNotifications(until: .now) }
    }
}
