import PostgreSQL
import PostgreSQLTestKit
import Testing

@Suite struct `A queued statement` {
    let connection: PostgreSQLConnection
    let other: PostgreSQLConnection
    private let insert = "INSERT INTO t (n) VALUES (?)"

    init() throws {
        let database = try TestDatabase()
        connection = try database.connect()
        other = try database.connect()
        try connection.execute("CREATE TABLE t (n BIGINT PRIMARY KEY, text TEXT)")
    }

    private var numbers: [Int] {
        get throws { try other.all("SELECT n FROM t ORDER BY n") { $0.integer(0) } }
    }

    @Test func `is run in its turn`() throws {
        try connection.begin(.readCommitted)
        for number in 1...5 { try connection.run(insert, .integer(number)) }
        try connection.run("DELETE FROM t WHERE n < ?", .integer(3))
        #expect(try connection.changes == 2)
        #expect(try connection.number("SELECT count(*) FROM t") == 3)
        try connection.run(insert, .integer(1))
        try connection.commit()
        #expect(try numbers == [1, 3, 4, 5])
    }

    @Test func `that fails is named by the commit, and nothing is kept`() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.withTransaction(.readCommitted) {
                for number in [1, 2, 3] { try connection.run(insert, .integer(number)) }
                try connection.run("INSERT INTO t (n, text) VALUES (?, 'again')", .integer(2))
                try connection.run(insert, .integer(4))
            }
        }
        #expect(error?.isDuplicate == true)
        #expect(error?.wasQueued == true)
        #expect(error?.statement == "INSERT INTO t (n, text) VALUES (?, 'again')")
        #expect(!connection.isInTransaction && !connection.hasFailedTransaction)
        #expect(try numbers == [])
        try connection.withTransaction(.readCommitted) { try connection.run(insert, .integer(4)) }
        #expect(try numbers == [4])
    }

    @Test func `that fails is named by the next call that waits, and then there is only the rollback`() throws {
        try connection.begin(.readCommitted)
        try connection.run(insert, .integer(1))
        try connection.run("SELECT 1 / 0")
        #expect(connection.isInTransaction)
        let error = #expect(throws: PostgreSQLError.self) { try connection.number("SELECT 2") }
        #expect(error?.statement == "SELECT 1 / 0")
        #expect(error?.state == "22012")
        #expect(!connection.isInTransaction && connection.hasFailedTransaction)
        for call in [
            { try connection.run(insert, .integer(2)) }, { try connection.attempt(insert, .integer(2)) },
            { _ = try connection.number("SELECT 2") }, { try connection.begin(.readCommitted) },
            { try connection.withSavepoint {} }, { try connection.execute("SELECT 2") },
        ] as [() throws -> Void] {
            let later = #expect(throws: PostgreSQLError.self) { try call() }
            #expect(later?.kind == .failedTransaction)
            #expect(later?.statement == "SELECT 1 / 0")
        }
        let atCommit = #expect(throws: PostgreSQLError.self) { try connection.commit() }
        #expect(atCommit == error)
        connection.rollBack()
        #expect(!connection.hasFailedTransaction)
        #expect(try numbers == [])
    }

    @Test func `that fails before a rollback is abandoned with the others`() throws {
        try connection.begin(.readCommitted)
        try connection.run(insert, .integer(1))
        try connection.run("SELECT 1 / 0")
        connection.rollBack()
        #expect(connection.isUsable && !connection.isInTransaction && !connection.hasFailedTransaction)
        try connection.withTransaction(.readCommitted) { try connection.run(insert, .integer(2)) }
        #expect(try numbers == [2])
    }

    @Test func `that cannot be prepared is named too, and can be run later`() throws {
        try connection.begin(.readCommitted)
        try connection.run("INSERT INTO later (n) VALUES (?)", .integer(1))
        try connection.run(insert, .integer(1))
        let error = #expect(throws: PostgreSQLError.self) { try connection.flush() }
        #expect(error?.kind == .unknownObject)
        #expect(error?.statement == "INSERT INTO later (n) VALUES (?)")
        connection.rollBack()
        try connection.execute("CREATE TABLE later (n BIGINT)")
        try connection.withTransaction(.readCommitted) {
            try connection.run("INSERT INTO later (n) VALUES (?)", .integer(1))
            try connection.run(insert, .integer(1))
        }
        #expect(try numbers == [1])
    }

    @Test func `is sent with the 256th command at the latest`() throws {
        try connection.begin(.readCommitted)
        try connection.run("SELECT 1 / 0")
        var queued = 0
        let error = #expect(throws: PostgreSQLError.self) {
            while queued < 1_000 {
                try connection.run(insert, .integer(queued))
                queued += 1
            }
        }
        #expect(error?.statement == "SELECT 1 / 0")
        #expect(queued < 256)
        connection.rollBack()
    }

    @Test func `is sent when a mebibyte waits`() throws {
        try connection.begin(.readCommitted)
        try connection.run("SELECT 1 / 0")
        let text = String(repeating: "x", count: 1 << 18)
        var queued = 0
        let error = #expect(throws: PostgreSQLError.self) {
            while queued < 100 {
                try connection.run("INSERT INTO t (n, text) VALUES (?, ?)", .integer(queued), .text(text))
                queued += 1
            }
        }
        #expect(error?.statement == "SELECT 1 / 0")
        #expect(queued == 3)
        connection.rollBack()
    }

    @Test func `may be one of very many, whose rows are dropped`() throws {
        try connection.withTransaction(.readCommitted) {
            for number in 0..<2_000 { try connection.run(insert, .integer(number)) }
            for _ in 0..<50 { try connection.run("SELECT n, repeat('x', 1000) FROM t") }
        }
        #expect(try other.number("SELECT count(*) FROM t") == 2_000)
    }

    @Test func `that is attempted fails alone`() throws {
        try connection.run(insert, .integer(1))
        try connection.withTransaction(.readCommitted) {
            try connection.run(insert, .integer(2))
            let error = #expect(throws: PostgreSQLError.self) { try connection.attempt(insert, .integer(1)) }
            #expect(error?.isDuplicate == true)
            #expect(error?.wasQueued == false)
            #expect(connection.isInTransaction)
            try connection.attempt(insert, .integer(3))
            try connection.run(insert, .integer(4))
        }
        #expect(try numbers == [1, 2, 3, 4])
        let error = #expect(throws: PostgreSQLError.self) { try connection.attempt(insert, .integer(1)) }
        #expect(error?.isDuplicate == true)
    }

    @Test func `that fails before an attempt fails the transaction`() throws {
        try connection.begin(.readCommitted)
        try connection.run(insert, .integer(1))
        try connection.run(insert, .integer(1))
        let error = #expect(throws: PostgreSQLError.self) { try connection.attempt(insert, .integer(2)) }
        #expect(error?.isDuplicate == true)
        #expect(error?.wasQueued == true)
        #expect(connection.hasFailedTransaction)
        let atCommit = #expect(throws: PostgreSQLError.self) { try connection.commit() }
        #expect(atCommit == error)
        connection.rollBack()
        #expect(try numbers == [])
    }

    @Test func `whose values are refused leaves the queue as it was`() throws {
        try connection.withTransaction(.readCommitted) {
            try connection.run(insert, .integer(1))
            #expect(throws: PostgreSQLError.self) { try connection.attempt("SELECT ?", .text("\u{0}")) }
            #expect(throws: PostgreSQLError.self) { try connection.run(insert) }
            try connection.run(insert, .integer(2))
        }
        #expect(try numbers == [1, 2])
    }
}
