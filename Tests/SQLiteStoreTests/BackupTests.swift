import DataStore
import Glibc
import Records
import Database
@testable import RelationalStore
@testable import SQLiteStore
import SQLite
import Shared
import Synchronization
import TestKit
import Testing

@Suite struct `Backing up and restoring` {
    let directory: TemporaryDirectory
    var path: String { directory.file("a.db") }
    var backup: String { directory.file("backup.db") }

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> SQLiteStore { try SQLiteStore.open(path: path) }

    private func exists(_ name: String) -> Bool { access(name, F_OK) == 0 }

    @Test func `gives back what was there, under a new epoch`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        let progress = Atomic(0)
        try await store.backUp(to: backup) { copied, total in progress.store(total - copied, ordering: .relaxed) }
        #expect(progress.load(ordering: .relaxed) == 0)
        try await store.make("later", by: "student")
        await store.close()

        try SQLiteStore.restore(from: backup, to: path)
        let restored = try open()
        #expect(restored.epoch != store.epoch)
        #expect(try await restored.head(of: RecordID("r")) != nil)
        #expect(try await restored.head(of: RecordID("later")) == nil)
        await restored.close()
    }

    @Test func `leaves one file, and nothing half made`() async throws {
        let store = try open()
        try await store.backUp(to: backup)
        for suffix in [".partial", "-wal", "-shm", "-journal"] { #expect(!exists(backup + suffix)) }
        await #expect(throws: StoreError.self) { try await store.backUp(to: directory.file("missing/b.db")) }
        await store.close()
    }

    @Test func `ends when the store is closed, and leaves nothing half made`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = await #expect(throws: StoreError.unavailable("the store is being closed")) {
                    try await store.backUp(to: backup) { _, _ in gate.pass() }
                }
            }
            await gate.waitUntilReached()
            group.addTask { await store.close() }
            while !store.closing.isUnderWay { await Task.yield() }
            gate.open()
            try await group.waitForAll()
        }
        for suffix in ["", ".partial", "-wal", "-shm", "-journal"] { #expect(!exists(backup + suffix)) }
        let again = try open()
        #expect(try await again.head(of: RecordID("r")) != nil)
        await again.close()
    }

    @Test func `takes no other file's place unless it may`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        try SQLiteStore.backUp(path, to: backup, replaces: false)
        try await store.make("s", by: "student")
        #expect(throws: StoreError.unavailable("the file is there already")) {
            try SQLiteStore.backUp(path, to: backup, replaces: false)
        }
        #expect(!exists("\(backup).partial"))
        await store.close()
        try SQLiteStore.restore(from: backup, to: path)
        let restored = try open()
        #expect(try await restored.head(of: RecordID("s")) == nil)
        await restored.close()
        try SQLiteStore.backUp(path, to: backup)
    }

    @Test func `is refused while the store is in use, and changes nothing then`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        try await store.backUp(to: backup)
        #expect(throws: StoreError.unavailable("another program is using \(path)")) {
            try SQLiteStore.restore(from: backup, to: path)
        }
        #expect(try await store.head(of: RecordID("r")) != nil)
        await store.close()
    }

    @Test func `refuses a backup that is none, and leaves the store as it was`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        await store.close()
        try Connection(path: backup, access: .create).execute("CREATE TABLE theirs (n INTEGER)")
        #expect(throws: StoreError.incompatible("the file is a database of another program")) {
            try SQLiteStore.restore(from: backup, to: path)
        }
        #expect(throws: StoreError.self) { try SQLiteStore.restore(from: directory.file("none"), to: path) }
        #expect(!exists("\(path).restore"))
        let again = try open()
        #expect(again.epoch == store.epoch)
        #expect(try await again.head(of: RecordID("r")) != nil)
        await again.close()
    }

    @Test func `replaces a store that is damaged, log and all`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        try await store.backUp(to: backup)
        await store.close()
        for name in [path, "\(path)-wal"] {
            let file = try #require(fopen(name, "w"))
            fputs(String(repeating: "damaged ", count: 5_000), file)
            fclose(file)
        }
        try SQLiteStore.restore(from: backup, to: path)
        let restored = try open()
        #expect(try await restored.head(of: RecordID("r")) != nil)
        await restored.close()
    }

    @Test func `can be done by another program while the store is used`() async throws {
        let store = try open()
        try await store.make("r", by: "student")
        try SQLiteStore.backUp(path, to: backup)
        await store.close()
        #expect(try SQLiteStore.examine(backup).records == 1)
    }
}
