import SQLite
import TestKit
import Testing

@Suite struct `A connection` {
    let directory: TemporaryDirectory
    let connection: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try SQLiteConnection(path: directory.file("a.db"), access: .create)
        try connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT UNIQUE, bytes BLOB) STRICT")
    }

    @Test(arguments: [nil, "", "plain", "a\u{0}é🎓"])
    func `gives back the text it was given`(text: String?) throws {
        try connection.run("INSERT INTO t (text) VALUES (?)", .text(text))
        #expect(try connection.first("SELECT text FROM t") { $0.optionalText(0) } == .some(text))
        #expect(
            try connection.first("SELECT text FROM t") { $0.optionalBytes(0) } == .some(text.map { Array($0.utf8) }))
    }

    @Test(arguments: [nil, [], [0], [0, 255, 10]] as [[UInt8]?])
    func `gives back the bytes it was given`(bytes: [UInt8]?) throws {
        try connection.run("INSERT INTO t (bytes) VALUES (?)", .blob(bytes))
        #expect(try connection.first("SELECT bytes FROM t") { $0.optionalBytes(0) } == .some(bytes))
    }

    @Test(arguments: [0, 1, -1, Int.max, Int.min])
    func `gives back the number it was given`(number: Int) throws {
        try connection.run("INSERT INTO t (n) VALUES (?)", .integer(number))
        #expect(try connection.first("SELECT n FROM t") { $0.integer(0) } == number)
        #expect(connection.changes == 1)
        #expect(connection.lastInsertedRow == number)
    }

    @Test func `reads a column that is not there as nothing`() throws {
        #expect(try connection.first("SELECT 1") { $0.optionalText(7) } == .some(nil))
        #expect(try connection.first("SELECT 1") { $0.bytes(-1) } == [])
    }

    @Test func `answers nil when there is no row`() throws {
        #expect(try connection.first("SELECT n FROM t") { $0.integer(0) } == nil)
        #expect(try connection.all("SELECT n FROM t") { $0.integer(0) } == [])
    }

    @Test func `runs the same text inside itself`() throws {
        for number in 1...3 { try connection.run("INSERT INTO t (n) VALUES (?)", .integer(number)) }
        let all = "SELECT n FROM t ORDER BY n"
        let pairs = try connection.all(all) { outer in
            try connection.all(all) { $0.integer(0) + outer.integer(0) }
        }
        #expect(pairs == [[2, 3, 4], [3, 4, 5], [4, 5, 6]])
    }

    @Test func `names a duplicate`() throws {
        try connection.run("INSERT INTO t (text) VALUES ('a')")
        let error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t (text) VALUES ('a')") }
        #expect(error?.isDuplicate == true)
        #expect(error?.code == .constraint)
        #expect(error?.message == "UNIQUE constraint failed: t.text")
    }

    @Test(arguments: ["", "  -- nothing", "SELECT \"no such column\"", "SELEKT 1", "SELECT ?"])
    func `refuses a wrong statement`(sql: String) {
        #expect(throws: SQLiteError.self) { try connection.run(sql) }
    }

    @Test func `refuses a wrong number of values`() {
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?, ?", .integer(1)) }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", .integer(1), .integer(2)) }
    }

    @Test func `does not make a file it should only read`() {
        #expect(throws: SQLiteError.self) { try SQLiteConnection(path: directory.file("missing"), access: .read) }
        #expect(throws: SQLiteError.self) { try SQLiteConnection(path: directory.file("missing"), access: .write) }
    }

    @Test func `finds a sound file sound`() throws {
        #expect(try connection.integrityFaults() == [])
    }
}
