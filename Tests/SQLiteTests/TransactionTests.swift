import SQLite
import TestKit
import Testing

@Suite struct `A transaction` {
    struct Refusal: Error {}

    let directory: TemporaryDirectory
    let connection: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try SQLiteConnection(path: directory.file("a.db"), access: .create)
        try connection.execute("CREATE TABLE t (n INTEGER NOT NULL) STRICT")
    }

    private func insert(_ number: Int) throws { try connection.run("INSERT INTO t VALUES (?)", .integer(number)) }

    private var numbers: [Int] {
        get throws { try connection.all("SELECT n FROM t ORDER BY n") { $0.integer(0) } }
    }

    @Test func `that returns is kept`() throws {
        #expect(
            try connection.withTransaction(.immediate) {
                try insert(1); return "done"
            } == "done")
        #expect(try numbers == [1])
        #expect(!connection.isInTransaction)
    }

    @Test func `that throws leaves nothing`() throws {
        #expect(throws: Refusal.self) {
            try connection.withTransaction(.immediate) {
                try insert(1); throw Refusal()
            }
        }
        #expect(try numbers == [])
        #expect(!connection.isInTransaction)
    }

    @Test func `goes on after a savepoint in it threw`() throws {
        try connection.withTransaction(.immediate) {
            try insert(1)
            #expect(throws: Refusal.self) {
                try connection.withSavepoint {
                    try insert(2)
                    try connection.withSavepoint { try insert(3) }
                    throw Refusal()
                }
            }
            try connection.withSavepoint { try insert(4) }
        }
        #expect(try numbers == [1, 4])
    }

    @Test func `cannot be opened twice`() throws {
        #expect(throws: SQLiteError.self) {
            try connection.withTransaction(.immediate) { try connection.withTransaction(.immediate) {} }
        }
        #expect(!connection.isInTransaction)
    }

    @Test func `without room fails with full, and the file stays sound`() throws {
        try connection.execute("PRAGMA max_page_count = 10; CREATE TABLE big (bytes BLOB)")
        let error = #expect(throws: SQLiteError.self) {
            try connection.withTransaction(.immediate) {
                try insert(1)
                try connection.run("INSERT INTO big VALUES (zeroblob(100000))")
            }
        }
        #expect(error?.code == .full)
        #expect(try numbers == [])
        #expect(try connection.integrityFaults() == [])
    }
}
