import DataStore
import GradingKit
import Records
import Database
import SQLite
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct `What a store knows of executables` {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("a.db") }
    private let program = ProgramID("program")
    private let old = SchemeExecutable(version: nil, digest: "d1")
    private let new = SchemeExecutable(version: "2", digest: "d2")

    /// Two records by the old build, one by the new, one by none that is known, in a program of the scheme `s`.
    init() async throws {
        directory = try TemporaryDirectory()
        let store = try open()
        for (id, build) in [("a", old), ("b", old), ("c", new)] {
            try await store.make(id, by: "student", computedBy: build)
        }
        try await store.make("d", by: "student")
        await store.close()
        try Connection(path: path, access: .write).execute(
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO programs (institution, id, revision, scheme, created_at, title, entry, newest)
            VALUES ('school', 'program', 1, 's', 1, 'Program', 'staff', 1);
            INSERT INTO program_versions (institution, program, number, configuration, effective_from, published_at, records)
            VALUES ('school', 'program', 1, '{}', 0, 1, 'keep');
            """)
    }

    private func open() throws -> SQLiteStore { try SQLiteStore.open(path: directory.file("a.db")) }

    @Test func `records of another build are stale, and those of none that is known`() async throws {
        let store = try open()
        #expect(try await store.stale(in: program, besides: new) == 3)
        #expect(try await store.stale(of: "s", besides: old) == 2)
        #expect(try await store.stale(of: "other", besides: old) == 0)
        let page = try await store.standings(of: program, besides: new, after: RecordID("a"), limit: 9)
        #expect(page.map(\.record.text) == ["b", "d"])
        #expect(page.first?.standing == Array("\"a\"".utf8))
        #expect(try await store.standings(of: program, besides: nil, after: nil, limit: 3).count == 3)
        await store.close()
    }

    @Test func `a change is computed by the build that runs, and so is a record that is gone by none`() async throws {
        let store = try open()
        try await store.put("b", in: "a", by: "student", computedBy: new)
        #expect(try await store.stale(in: program, besides: new) == 2)
        let history = try await store.history(of: RecordID("a"), view: .full, before: nil, limit: 9)
        #expect(history.map(\.executable) == [new, old])
        try await store.delete(RecordID("b"), by: store.context(by: "student"))
        #expect(try await store.stale(in: program, besides: new) == 1)
        await store.close()
        let census = try #require(try SQLiteStores(path: path).builds())
        #expect(try census.tallies().map { [$0.scheme, $0.executable.text, "\($0.records)"] } == [["s", "d2 2", "2"]])
    }

    @Test func `the build of a change is part of the trail`() throws {
        #expect(try SQLiteStore.examine(path).isSound)
        try Connection(path: path, access: .write).execute("UPDATE changes SET executable = 'd9' WHERE seq = 1")
        #expect(try SQLiteStore.examine(path).trailFaults.map(\.kind) == [.brokenLink])
    }

    @Test func `the shape of a version is remembered until it is another`() async throws {
        let store = try open()
        try await store.keep(shape: [1], of: program, 1)
        try await store.keep(shape: [2], of: program, 1)
        await store.close()
        let census = try #require(try SQLiteStores(path: path).builds())
        let versions = try census.staleVersions(of: "s", besides: new)
        #expect(versions.map(\.version) == [1] && versions.first?.shape == [2])
        #expect(versions.first?.configuration == Array("{}".utf8))
        var visited: [String] = []
        try census.forEachRecord(of: try #require(versions.first), besides: new) { visited.append($0.record.text) }
        #expect(visited == ["a", "b", "d"])
        #expect(try census.staleVersions(of: "other", besides: new).isEmpty)
    }

    @Test func `a store of an older form knows of none`() throws {
        try Connection(path: path, access: .write).execute(
            """
            DELETE FROM migrations
            WHERE number >= (SELECT number FROM migrations WHERE name = 'executables')
            """)
        #expect(try SQLiteStores(path: path).builds() == nil)
        #expect(throws: StoreError.self) { try SQLiteStores(path: directory.file("none")).builds() }
    }
}
