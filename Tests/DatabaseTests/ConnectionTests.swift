import Database
import PostgreSQL
import PostgreSQLTestKit
import SQLite
import TestKit
import Testing

/// A database of either kind, empty.
enum Place: String, CaseIterable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgreSQL = "PostgreSQL"

    var testDescription: String { rawValue }

    /// Opens a connection; what keeps its database is returned with it.
    func open() throws -> (Connection, keeping: Any) {
        switch self {
        case .sqlite:
            let directory = try TemporaryDirectory()
            return (try Connection(path: directory.file("a.db"), access: .create), directory)
        case .postgreSQL:
            let database = try TestDatabase()
            return (Connection(try database.connect()), database)
        }
    }
}

@Suite struct `A connection of either kind` {
    private let script = """
        CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT UNIQUE, bytes BLOB, since INTEGER) STRICT;
        CREATE TABLE lines (seq INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
        """

    private func open(_ place: Place) throws -> (Connection, keeping: Any) {
        let opened = try place.open()
        try opened.0.execute(opened.0.dialect.schema(script))
        return opened
    }

    @Test(arguments: Place.allCases)
    func `gives back what it was given`(place: Place) throws {
        let (connection, keeper) = try open(place)
        defer { withExtendedLifetime(keeper) {} }
        let insert = "INSERT INTO t (n, text, bytes, since) VALUES (?, ?, ?, ?)"
        try connection.run(insert, .integer(1), .text("é🎓"), .blob([0, 255]), .boolean(true))
        try connection.run(insert, [.integer(2), .utf8([97]), .blob([]), .integer(Int.min)])
        try connection.run(insert, binding: [.integer(3), .text(nil), .blob(nil), .null])
        let rows = try connection.all("SELECT text, bytes, since FROM t WHERE n <> ? ORDER BY n", .integer(4)) { row in
            "\(row.optionalText(0) ?? "-") \(row.optionalBytes(1).map { "\($0)" } ?? "-") \(row.optionalInteger(2) ?? 0)"
        }
        #expect(rows == ["é🎓 [0, 255] 1", "a [] \(Int.min)", "- - 0"])
        let found = try connection.first("SELECT text, n, n = 3 FROM t WHERE n = ?", .integer(3)) { row in
            (row.text(0), row.bytes(0), row.isNull(0), row.integer(1), row.boolean(2), row.isNull(7))
        }
        let wanted = ("", [UInt8](), true, 3, true, true)
        #expect(found.map { $0 == wanted } == true)
        #expect(try connection.first("SELECT n FROM t WHERE n = 9") { $0.integer(0) } == nil)
    }

    @Test(arguments: Place.allCases)
    func `gives the number of a row that it inserts`(place: Place) throws {
        let (connection, keeper) = try open(place)
        defer { withExtendedLifetime(keeper) {} }
        let insert = "INSERT INTO lines (text) VALUES (?)"
        #expect(try connection.insert(insert, numbering: "seq", .text("a")) == 1)
        let further = try connection.withTransaction(for: .writing) {
            try ["b", "c"].map { try connection.insert(insert, numbering: "seq", binding: [.text($0)]) }
        }
        #expect(further == [2, 3])
        let lines = try connection.all("SELECT seq, text FROM lines ORDER BY seq") { "\($0.integer(0))\($0.text(1))" }
        #expect(lines == ["1a", "2b", "3c"])
    }

    @Test(arguments: Place.allCases)
    func `counts what the last statement changed`(place: Place) throws {
        let (connection, keeper) = try open(place)
        defer { withExtendedLifetime(keeper) {} }
        let counts = try connection.withTransaction(for: .writing) {
            for number in 1...5 { try connection.run("INSERT INTO t (n) VALUES (?)", .integer(number)) }
            try connection.run("UPDATE t SET since = 1 WHERE n > ?", .integer(2))
            let updated = try connection.changes
            try connection.run("DELETE FROM t WHERE n > ?", .integer(5))
            return [updated, try connection.changes]
        }
        #expect(counts == [3, 0])
    }

    @Test(arguments: Place.allCases)
    func `undoes a transaction that throws, also at its commit`(place: Place) throws {
        let (connection, keeper) = try open(place)
        defer { withExtendedLifetime(keeper) {} }
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try connection.withTransaction(for: .writing) {
                try connection.run("INSERT INTO t (n) VALUES (1)")
                throw Refusal()
            }
        }
        #expect(throws: (any Error).self) {
            try connection.withTransaction(for: .writing) {
                for _ in 1...2 { try connection.run("INSERT INTO t (n, text) VALUES (2, 'a')") }
            }
        }
        #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
        #expect(connection.isUsable)
    }

    @Test(arguments: Place.allCases)
    func `reads the same text inside itself`(place: Place) throws {
        let (connection, keeper) = try open(place)
        defer { withExtendedLifetime(keeper) {} }
        for number in 1...3 { try connection.run("INSERT INTO t (n) VALUES (?)", .integer(number)) }
        let all = "SELECT n FROM t ORDER BY n"
        let pairs = try connection.withTransaction(for: .reading) {
            try connection.all(all) { outer in try connection.all(all) { $0.integer(0) + outer.integer(0) } }
        }
        #expect(pairs == [[2, 3, 4], [3, 4, 5], [4, 5, 6]])
    }

    @Test func `to a server writes nothing in a transaction for reading`() throws {
        let (connection, keeper) = try open(.postgreSQL)
        defer { withExtendedLifetime(keeper) {} }
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.withTransaction(for: .reading) { try connection.run("INSERT INTO t (n) VALUES (1)") }
        }
        #expect(error?.kind == .readOnly)
    }
}
