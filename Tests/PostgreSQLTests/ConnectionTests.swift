import PostgreSQL
import PostgreSQLTestKit
import Testing

@Suite struct `A connection` {
    let database: TestDatabase
    let connection: PostgreSQLConnection

    init() throws {
        database = try TestDatabase()
        connection = try database.connect()
        try connection.execute("CREATE TABLE t (n BIGINT PRIMARY KEY, text TEXT UNIQUE CHECK (text <> 'no'))")
    }

    @Test func `answers nil when there is no row`() throws {
        #expect(try connection.first("SELECT n FROM t") { $0.integer(0) } == nil)
        #expect(try connection.all("SELECT n FROM t") { $0.integer(0) } == [])
        #expect(try connection.number("INSERT INTO t (n) VALUES (4) RETURNING n") == 4)
    }

    @Test func `runs the same text inside itself`() throws {
        for number in 1...3 { try connection.run("INSERT INTO t (n) VALUES (?)", .integer(number)) }
        let all = "SELECT n FROM t ORDER BY n"
        let pairs = try connection.all(all) { outer in
            try connection.all(all) { $0.integer(0) + outer.integer(0) }
        }
        #expect(pairs == [[2, 3, 4], [3, 4, 5], [4, 5, 6]])
    }

    @Test func `names a duplicate and another broken constraint`() throws {
        try connection.run("INSERT INTO t (n, text) VALUES (1, 'a')")
        let insert = "INSERT INTO t (n, text) VALUES (2, ?)"
        let duplicate = #expect(throws: PostgreSQLError.self) { try connection.run(insert, .text("a")) }
        #expect(duplicate?.isDuplicate == true)
        #expect(duplicate?.kind == .duplicate)
        #expect(duplicate?.constraint == "t_text_key")
        #expect(duplicate?.statement == insert)
        #expect(duplicate?.wasQueued == false)
        let text = "duplicate key value violates unique constraint \"t_text_key\" (PostgreSQL 23505) in: \(insert)"
        #expect(duplicate?.description == text)
        let broken = #expect(throws: PostgreSQLError.self) { try connection.run(insert, .text("no")) }
        #expect(broken?.kind == .constraint)
        #expect(broken?.isDuplicate == false)
    }

    @Test(arguments: [
        ("", PostgreSQLError.Kind.misuse), ("  -- nothing", .misuse), ("SELECT \"no such column\"", .unknownObject),
        ("SELECT n FROM missing", .unknownObject), ("SELECT missing(1)", .unknownObject), ("SELEKT 1", .other),
        ("SELECT ?", .misuse), ("SELECT 1; SELECT 2", .other),
    ])
    func `refuses a wrong statement and goes on`(sql: String, kind: PostgreSQLError.Kind) throws {
        let error = #expect(throws: PostgreSQLError.self) { try connection.run(sql) }
        #expect(error?.kind == kind)
        #expect(error?.statement == sql)
        #expect(try connection.number("SELECT 1") == 1)
    }

    @Test(arguments: ["COPY t TO STDOUT", "COPY t FROM STDIN"], [true, false])
    func `that is asked to copy ends, and does not wait for data`(sql: String, isScript: Bool) throws {
        let error = #expect(throws: PostgreSQLError.self) {
            if isScript { try connection.execute(sql) } else { try connection.run(sql) }
        }
        #expect(error?.kind == .misuse)
        #expect(error?.statement == sql)
        #expect(error?.endsConnection == true)
        #expect(!connection.isUsable)
    }

    @Test func `tells parameters from question marks in strings, names and comments`() throws {
        let sql = #"""
            SELECT '?', 'it''s ?', '\', E'\'?\\', $$ ? ' $$, $a$ $$ ? $a$, /* ? /* ' */ ? */ ?2::text,
                ?1::bigint + ?::bigint AS "sum ?" -- ? '
            """#
        let found = try connection.all(sql, .integer(40), .text("?"), .integer(2)) { row in
            (0..<8).map { row.text(Int32($0)) }
        }
        #expect(found == [["?", "it's ?", #"\"#, #"'?\"#, " ? ' ", " $$ ? ", "?", "42"]])
    }

    @Test func `refuses a wrong number of values`() {
        #expect(throws: PostgreSQLError.self) { try connection.run("SELECT ?, ?", .integer(1)) }
        #expect(throws: PostgreSQLError.self) { try connection.run("SELECT ?", .integer(1), .integer(2)) }
    }

    @Test func `runs a script, and undoes it when it fails`() throws {
        try connection.execute("INSERT INTO t (n) VALUES (1); INSERT INTO t (n) VALUES (2)")
        #expect(try connection.number("SELECT count(*) FROM t") == 2)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.execute("INSERT INTO t (n) VALUES (3); INSERT INTO t (n) VALUES (2)")
        }
        #expect(error?.isDuplicate == true)
        #expect(try connection.number("SELECT count(*) FROM t") == 2)
        try connection.withTransaction(.readCommitted) {
            try connection.run("INSERT INTO t (n) VALUES (4)")
            try connection.execute("INSERT INTO t (n) VALUES (5); INSERT INTO t (n) VALUES (6)")
            #expect(connection.isInTransaction)
        }
        #expect(try connection.number("SELECT count(*) FROM t") == 5)
    }

    @Test func `sees the columns that a table has got since a statement was prepared`() throws {
        try connection.run("INSERT INTO t (n) VALUES (1)")
        let all = "SELECT * FROM t"
        #expect(try connection.first(all) { $0.isNull(2) } == true)
        try connection.execute("ALTER TABLE t ADD COLUMN added BIGINT DEFAULT 7")
        // The server refuses the form it had; the statement is then prepared again.
        let error = #expect(throws: PostgreSQLError.self) { try connection.first(all) { $0.integer(2) } }
        #expect(error?.state == "0A000")
        #expect(try connection.first(all) { $0.integer(2) } == 7)
    }

    @Test func `prepares again what the server has forgotten`() throws {
        #expect(try connection.number("SELECT 5") == 5)
        try connection.execute("DEALLOCATE ALL")
        let error = #expect(throws: PostgreSQLError.self) { try connection.number("SELECT 5") }
        #expect(error?.state == "26000")
        #expect(try connection.number("SELECT 5") == 5)
    }

    @Test func `counts changed rows and statements that may write`() throws {
        let writes = connection.writes
        for number in 1...3 { try connection.run("INSERT INTO t (n) VALUES (?)", .integer(number)) }
        try connection.run("UPDATE t SET text = n::text WHERE n < ?", .integer(3))
        #expect(try connection.changes == 2)
        #expect(connection.writes == writes + 4)
        #expect(try connection.all("SELECT n FROM t FOR UPDATE") { $0.integer(0) }.count == 3)
        #expect(connection.writes == writes + 4)
        #expect(try connection.changes == 2)
    }

    @Test func `that prepares nothing does the same`() throws {
        let plain = try database.connect { settings in
            settings.prepared = false
            settings.statementTimeout = .milliseconds(123_456)
        }
        try plain.withTransaction(.readCommitted) {
            for number in 1...3 {
                try plain.run("INSERT INTO t (n, text) VALUES (?, ?)", .integer(number), .text("\(number)"))
            }
            #expect(try plain.first("SHOW statement_timeout") { $0.text(0) } == "123456ms")
        }
        #expect(try plain.first("SHOW statement_timeout") { $0.text(0) } == "0")
        #expect(try plain.all("SELECT n FROM t WHERE n > ?", .integer(1)) { $0.integer(0) } == [2, 3])
        #expect(try plain.number("SELECT count(*) FROM pg_prepared_statements") == 0)
        #expect(throws: PostgreSQLError.self) { try plain.run("INSERT INTO t (n) VALUES (1)") }
        #expect(try connection.number("SELECT count(*) FROM t") == 3)
    }

    @Test func `keeps no more statements than its limit prepared`() throws {
        for number in 0..<600 { #expect(try connection.number("SELECT \(number)") == number) }
        #expect(try connection.number("SELECT count(*) <= 512 AND count(*) > 500 FROM pg_prepared_statements") == 1)
    }

    @Test func `tells the server its timeouts and its name`() throws {
        let other = try database.connect { settings in
            settings.statementTimeout = .seconds(11)
            settings.lockTimeout = .seconds(12)
            settings.idleTransactionTimeout = .seconds(13)
            settings.applicationName = "tests"
        }
        let names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "application_name"]
        #expect(
            try names.map { name in try other.first("SELECT current_setting(?)", .text(name)) { $0.text(0) } }
                == ["11s", "12s", "13s", "tests"])
        #expect(other.serverVersion >= 150_000)
        #expect(try other.number("SELECT pg_backend_pid()") == Int(other.processID))
    }
}
