import SQLite
import Synchronization
import TestKit
import Testing

@Suite struct `A backup` {
    let directory: TemporaryDirectory
    let source: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        source = try SQLiteConnection(path: directory.file("a.db"), access: .create)
        _ = try source.first("PRAGMA journal_mode = WAL") { $0.text(0) }
        try source.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, bytes BLOB) STRICT")
        for _ in 1...50 { try source.run("INSERT INTO t (bytes) VALUES (zeroblob(8000))") }
    }

    @Test func `holds what stood there when it began, whatever is written meanwhile`() throws {
        let reader = try SQLiteConnection(path: directory.file("a.db"), access: .read)
        let copy = try SQLiteConnection(path: directory.file("b.db"), access: .create)
        var steps: [Int] = []
        try reader.backUp(into: copy, pagesPerStep: 10) { copied, total in
            #expect(copied <= total)
            steps.append(copied)
            try source.run("INSERT INTO t (bytes) VALUES (zeroblob(8000))")
        }
        #expect(steps == steps.sorted())
        #expect(steps.count > 5)
        #expect(try copy.first("SELECT count(*) FROM t") { $0.integer(0) } == 50)
        #expect(try copy.integrityFaults() == [])
        #expect(try source.first("SELECT count(*) FROM t") { $0.integer(0) } == 50 + steps.count)
    }

    @Test func `ends when its progress throws`() throws {
        struct Enough: Error {}
        let copy = try SQLiteConnection(path: directory.file("b.db"), access: .create)
        #expect(throws: Enough.self) { try source.backUp(into: copy, pagesPerStep: 1) { _, _ in throw Enough() } }
        #expect(!source.isInTransaction)
    }

    @Test func `is refused when the destination is the source`() throws {
        #expect(throws: SQLiteError.self) { try source.backUp(into: source) }
    }
}

@Suite struct `A statement` {
    @Test func `stops when it is over, and the connection goes on`() throws {
        let directory = try TemporaryDirectory()
        let connection = try SQLiteConnection(path: directory.file("a.db"), access: .create)
        let endless = "WITH RECURSIVE c (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
        let questions = Atomic(0)
        let error = #expect(throws: SQLiteError.self) {
            try connection.stopping(when: { questions.add(1, ordering: .relaxed).newValue == 3 }) {
                try connection.first(endless) { $0.integer(0) }
            }
        }
        #expect(error?.code == .interrupted)
        #expect(try connection.first("SELECT 1") { $0.integer(0) } == 1)
        #expect(questions.load(ordering: .relaxed) == 3)
    }
}

@Suite struct `A write-ahead log` {
    @Test func `is measured, copied and cut`() throws {
        let directory = try TemporaryDirectory()
        let connection = try SQLiteConnection(path: directory.file("a.db"), access: .create)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (bytes BLOB)")
        try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
        #expect(connection.takePagesWritten() > 24)
        #expect(connection.takePagesWritten() == 0)
        let passive = try connection.checkpoint(.passive)
        #expect(passive.frames > 24)
        #expect(passive.frames == passive.copied)
        #expect(try connection.checkpoint(.truncate).frames == 0)
    }
}
