import PostgreSQL
import PostgreSQLTestKit
import Testing

@Suite struct `A value` {
    let connection: PostgreSQLConnection

    init() throws {
        connection = try TestDatabase().connect()
        try connection.execute("CREATE TABLE t (n BIGINT, text TEXT, bytes BYTEA, flag BOOLEAN)")
    }

    @Test(arguments: [nil, "", "plain", "é🎓", "\u{1}\u{10FFFF}", "?$1'\"\\"])
    func `of text comes back as it was`(text: String?) throws {
        try connection.run("INSERT INTO t (text) VALUES (?)", .text(text))
        #expect(try connection.first("SELECT text FROM t") { $0.optionalText(0) } == .some(text))
        #expect(
            try connection.first("SELECT text FROM t") { $0.optionalBytes(0) } == .some(text.map { Array($0.utf8) }))
        let encoded = SQLValue.utf8(text.map { Array($0.utf8) })
        #expect(try connection.first("SELECT ?", encoded) { $0.optionalText(0) } == .some(text))
    }

    @Test(arguments: [nil, [], [0], [0, 255, 10, 92]] as [[UInt8]?])
    func `of bytes comes back as it was`(bytes: [UInt8]?) throws {
        try connection.run("INSERT INTO t (bytes) VALUES (?)", .blob(bytes))
        #expect(try connection.first("SELECT bytes FROM t") { $0.optionalBytes(0) } == .some(bytes))
    }

    @Test(arguments: [nil, 0, 1, -1, Int.max, Int.min])
    func `of a number comes back as it was`(number: Int?) throws {
        try connection.run("INSERT INTO t (n) VALUES (?)", .integer(number))
        #expect(try connection.first("SELECT n FROM t") { $0.optionalInteger(0) } == .some(number))
        #expect(try connection.changes == 1)
    }

    @Test(arguments: [nil, true, false])
    func `of a Boolean comes back as it was`(flag: Bool?) throws {
        try connection.run("INSERT INTO t (n, flag) VALUES (?1, ?1 <> 0)", .boolean(flag))
        #expect(try connection.first("SELECT n FROM t") { $0.optionalBoolean(0) } == .some(flag))
        #expect(try connection.first("SELECT flag FROM t") { $0.optionalBoolean(0) } == .some(flag))
        #expect(try connection.first("SELECT flag FROM t") { $0.optionalInteger(0) } == .some(flag.map { $0 ? 1 : 0 }))
    }

    @Test func `of many megabytes comes back as it was`() throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        #expect(try connection.first("SELECT ?", .blob(bytes)) { $0.bytes(0) } == bytes)
        #expect(try connection.first("SELECT ?, ?", .text("x"), .text("")) { $0.text(0) + $0.text(1) } == "x")
    }

    @Test func `of every size of number is read`() throws {
        let found = try connection.first(
            """
            SELECT 32767::int2, (-32768)::int2, 2147483647::int4, (-2147483648)::int4, 4294967295::oid,
                '18446744073709551615'::xid8, true
            """
        ) { row in (0..<7).map { row.integer(Int32($0)) } }
        #expect(found == [32_767, -32_768, 2_147_483_647, -2_147_483_648, 4_294_967_295, Int.max, 1])
    }

    @Test func `of another type is converted`() throws {
        let found = try connection.first(
            "SELECT 7, '-8', true, 'x'::varchar, 'abc'::bytea, 'y'::char(2), 'z'::name, '12'::bytea, pg_advisory_xact_lock(1)"
        ) { row in
            [
                row.text(0), "\(row.integer(1))", row.text(2), row.text(3), row.text(4), row.text(5), row.text(6),
                "\(row.integer(7))", "\(row.boolean(0))", String(decoding: row.bytes(0), as: UTF8.self), row.text(8),
            ]
        }
        #expect(found == ["7", "-8", "1", "x", "abc", "y ", "z", "0", "true", "7", ""])
    }

    @Test(arguments: [
        ("1.5", "numeric"), ("now()", "timestamptz"), ("'{}'::jsonb", "jsonb"), ("1::float8", "double precision"),
        ("ARRAY[1]", "number 1007"), ("sum(1::bigint)", "numeric"),
    ])
    func `of a type that cannot be read is an error in words`(expression: String, type: String) throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.first("SELECT \(expression) AS found") { $0.integer(0) }
        }
        #expect(error?.kind == .misuse)
        #expect(error?.message == "the column \"found\" has the type \(type), which cannot be read; cast it")
        #expect(try connection.number("SELECT 1") == 1)
    }

    @Test func `of a text with a NUL is refused, and nothing is sent`() throws {
        try connection.begin(.readCommitted)
        for value in [SQLValue.text("a\u{0}b"), .utf8([97, 0])] {
            let error = #expect(throws: PostgreSQLError.self) {
                try connection.run("INSERT INTO t (n, text) VALUES (?, ?)", .integer(1), value)
            }
            #expect(error?.kind == .misuse)
            #expect(error?.message == "the text of parameter 2 contains U+0000")
        }
        try connection.run("INSERT INTO t (text) VALUES (?)", .text("ab"))
        try connection.commit()
        #expect(try connection.all("SELECT text FROM t") { $0.text(0) } == ["ab"])
    }

    @Test func `that is no UTF-8 is refused by the server`() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run("INSERT INTO t (text) VALUES (?)", .utf8([0xff]))
        }
        #expect(error?.state == "22021")
    }

    @Test func `of NULL takes the type that its place asks for`() throws {
        try connection.run("INSERT INTO t (n, text, bytes, flag) VALUES (?, ?, ?, ?)", .null, .null, .null, .null)
        try connection.run("INSERT INTO t (n) VALUES (?)", .integer(1))
        try connection.run("INSERT INTO t (n) VALUES (?)", .null)
        #expect(try connection.number("SELECT count(*) FROM t WHERE n IS NULL AND flag IS NULL") == 2)
    }

    @Test func `is read as nothing from a column that is not there`() throws {
        #expect(try connection.first("SELECT 1") { $0.optionalText(7) } == .some(nil))
        #expect(try connection.first("SELECT 1") { $0.bytes(-1) } == [])
        #expect(try connection.first("SELECT NULL::bigint, NULL::text") { $0.integer(0) + $0.text(1).count } == 0)
    }

    @Test func `need not be an array`() throws {
        try connection.run("INSERT INTO t (n, text) VALUES (?, ?)", binding: [.integer(4), .text("four")])
        #expect(try connection.first("SELECT n, text FROM t") { "\($0.integer(0)) \($0.text(1))" } == "4 four")
    }

    @Test func `may stand in any number of places`() throws {
        let values = (1...2_000).map { SQLValue.integer($0) }
        let sum = "SELECT (\(values.map { _ in "?" }.joined(separator: " + ")))::bigint"
        #expect(try connection.all(sum, values) { $0.integer(0) } == [2_001_000])
    }
}
