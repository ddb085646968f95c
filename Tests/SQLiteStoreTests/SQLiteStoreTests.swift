import Glibc
import Records
import Database
import SQLite
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct `A store's file` {
    let directory: TemporaryDirectory
    var path: String { directory.file("a.db") }

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> SQLiteStore { try SQLiteStore.open(path: path) }

    @Test func `is for its owner's eyes only, with everything beside it`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        for suffix in ["", "-wal", "-shm", ".lock"] {
            var status = stat()
            #expect(stat(path + suffix, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(suffix)")
        }
        await store.close()
    }

    @Test func `is used by one store at a time`() async throws {
        let store = try open()
        #expect(throws: StoreError.unavailable("another program is using \(path)")) { try open() }
        await store.close()
        try await open().close()
    }

    @Test func `has an epoch for ever, and each file its own`() async throws {
        let store = try open()
        await store.close()
        let again = try open()
        #expect(again.epoch == store.epoch)
        #expect(Revision(text: "\(store.epoch).1") != nil)
        let other = try SQLiteStore.open(path: directory.file("b.db"))
        #expect(other.epoch != store.epoch)
        await again.close()
        await other.close()
    }

    @Test func `of a newer schema is refused, and left as it is`() async throws {
        try await open().close()
        let connection = try Connection(path: path, access: .write)
        try connection.run("INSERT INTO migrations (name) VALUES ('from the future')")
        let error = #expect(throws: StoreError.self) { try open() }
        guard case .incompatible(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("newer") && reason.contains("from the future"))
        try connection.run("DELETE FROM migrations WHERE name = 'from the future'")
        try await open().close()
    }

    @Test func `with another history of its schema is refused`() async throws {
        try await open().close()
        try Connection(path: path, access: .write).run("UPDATE migrations SET name = 'x' WHERE number = 1")
        #expect(throws: StoreError.incompatible("the file's schema has another history than this program's")) {
            try open()
        }
    }

    @Test func `of another program is refused`() throws {
        try Connection(path: path, access: .create).execute("CREATE TABLE theirs (n INTEGER)")
        #expect(throws: StoreError.incompatible("the file is a database of another program")) { try open() }
    }

    @Test func `that is no database is refused`() throws {
        let file = try #require(fopen(path, "w"))
        fputs(String(repeating: "not a database ", count: 100), file)
        fclose(file)
        let error = #expect(throws: StoreError.self) { try open() }
        guard case .incompatible? = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test func `without content is refused in words, and left as it is`() {
        fclose(fopen(path, "w"))
        let refusals = [
            #expect(throws: StoreError.self) { try open() },
            #expect(throws: StoreError.self) { try SQLiteStore.backUp(path, to: directory.file("b.db")) },
            #expect(throws: StoreError.self) { try SQLiteStore.examine(path) },
        ]
        for refusal in refusals {
            guard case .incompatible(let reason)? = refusal else { Issue.record("\(refusal as Any)"); continue }
            #expect(reason.contains("the file is empty"))
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == 0)
    }

    @Test func `is made whole or not at all`() async throws {
        // What an earlier first start left when it was cut short.
        fclose(fopen(path + ".new", "w"))
        let store = try open()
        try await store.make("r", by: "student")
        var status = stat()
        #expect(stat(path + ".new", &status) != 0)
        await store.close()
    }

    @Test func `takes the place of the one in which an earlier version kept rehearsals`() async throws {
        for suffix in ["-work", "-work-wal"] { fclose(fopen(path + suffix, "w")) }
        try await open().close()
        var status = stat()
        for suffix in ["-work", "-work-wal"] { #expect(stat(path + suffix, &status) != 0, "\(suffix)") }
    }

    @Test func `in a place that is not there is refused`() {
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore.open(path: directory.file("missing/a.db"))
        }
        guard case .unavailable? = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test func `has no log left after closing`() async throws {
        let store = try open()
        for number in 1...50 { try await store.make("r\(number)", by: "student") }
        await store.close()
        var status = stat()
        #expect(stat("\(path)-wal", &status) != 0 || status.st_size == 0)
    }

    @Test func `keeps its log bounded while changes go on`() async throws {
        let store = try open()
        try await store.write { try $0.connection.execute("CREATE TABLE big (n INTEGER PRIMARY KEY, b BLOB)") }
        for _ in 1...25 {
            try await store.write { try $0.connection.run("REPLACE INTO big VALUES (1, zeroblob(4000000))") }
        }
        var status = stat()
        #expect(stat("\(path)-wal", &status) == 0)
        #expect(status.st_size < 60_000_000)
        await store.close()
    }
}

@Suite struct `Names in the history` {
    @Test func `are those of the accounts, while they are there`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore.open(path: directory.file("a.db"))
        try await store.make("r", by: "ada")
        func names() async throws -> [String?] {
            try await store.history(of: RecordID("r"), view: .full, before: nil, limit: 9).flatMap { item in
                [item.account?.text, item.displayName]
            }
        }
        #expect(try await names() == [nil, nil])
        try await store.write { transaction in
            try transaction.connection.run(
                """
                INSERT INTO accounts (id, created_at, login, display_name, description, gender, hue, locale,
                disabled, search) VALUES ('ada', 1, 'ada', 'Ada L.', '', '', 0, 'en', 0, 'ada')
                """)
        }
        #expect(try await names() == ["ada", "Ada L."])
        await store.close()
    }
}
