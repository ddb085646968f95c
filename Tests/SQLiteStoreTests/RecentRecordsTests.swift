import Records
import Shared
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

@Suite struct `What is remembered of records` {
    struct Refusal: Error {}

    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(remembering bytes: Int) throws -> SQLiteStore {
        var options = SQLiteStoreOptions()
        options.recentBytes = bytes
        return try SQLiteStore.open(path: directory.file("a.db"), options: options)
    }

    /// What the file says of the records, which is never answered from memory.
    private func filed(in store: SQLiteStore) async throws -> [RecordID: RecordSnapshot] {
        let all = try await store.records(student: nil, program: nil, after: nil, limit: 1_000)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.head.id, $0) })
    }

    /// Something that is done to one of a few records; some of it is refused, before or after it has written.
    private func step(_ number: Int, on store: SQLiteStore) async throws {
        let id = "record-\(number * 7 % 12)"
        switch number % 11 {
        case 0, 5: try await store.make(id, by: number % 2 == 0 ? "student" : "teacher")
        case 1: try await store.delete(RecordID(id), by: store.context(by: "teacher"))
        case 2:
            let context = store.context(by: "teacher")
            _ = try await store.amend(RecordID(id), by: context) { _ in throw Refusal() }
        case 3:
            let context = store.context(by: "teacher")
            try await store.write { transaction in
                try transaction.delete(RecordID(id), by: context)
                throw Refusal()
            }
        case 4 where number % 5 == 0:
            try await store.write { transaction in
                try transaction.forgetRecords(
                    of: AccountID("student"),
                    by: AuditContext(by: AccountID("teacher"), from: "127.0.0.1", at: Timestamp(microseconds: 9)))
            }
        case 6: _ = try await store.snapshot(of: RecordID(id))
        default: try await store.put("text \(number)", in: id, by: "teacher")
        }
    }

    @Test(arguments: [0, 400, 16 << 20]) func `is what the file says, whatever came and was refused`(
        remembering bytes: Int
    ) async throws {
        let store = try open(remembering: bytes)
        for round in 0..<30 {
            await withTaskGroup { group in
                for number in 0..<20 {
                    group.addTask { try? await step(round * 20 + number, on: store) }
                }
            }
            let filed = try await filed(in: store)
            for number in 0..<12 {
                let id = RecordID("record-\(number)")
                #expect(try await store.snapshot(of: id) == filed[id])
            }
        }
        await store.close()
    }

    @Test func `is nothing of a change that could not be committed`() async throws {
        let store = try open(remembering: 16 << 20)
        try await store.make("record", by: "teacher")
        let before = try await store.snapshot(of: RecordID("record"))
        let context = store.context(by: "teacher")
        await #expect(throws: (any Error).self) {
            try await store.write { transaction in
                _ = try transaction.amend(RecordID("record"), by: context) { before in
                    Amendment(
                        programVersion: 1, executable: nil,
                        full: RecordContent(tree: Array("\"new\"".utf8), standing: before.full.standing), released: nil,
                        change: ChangeDescription(
                            operation: "patch", entry: nil, before: nil, after: nil, figures: Array("{}".utf8),
                            reason: nil),
                        releasedChange: nil
                    ) { _ in StoredAnswer(.changed, body: []) }
                }
                throw Refusal()
            }
        }
        #expect(try await store.snapshot(of: RecordID("record")) == before)
        await store.close()
    }

    @Test func `is nothing of a record whose outline alone was asked for`() async throws {
        let id = RecordID("record")
        let writing = try open(remembering: 16 << 20)
        try await writing.make(id.text, by: "teacher")
        let written = try await writing.snapshot(of: id)
        await writing.close()
        let store = try open(remembering: 16 << 20)
        #expect(try await store.outline(of: id) == written?.outline)
        #expect(store.recent[id] == nil)
        _ = try await store.snapshot(of: id)
        #expect(try await store.outline(of: id) == written?.outline)
        await store.close()
    }

    private func row(version: Int) -> RecordRow {
        let head = RecordHead(
            id: RecordID("record"), institution: InstitutionID("school"), program: ProgramID("program"),
            programVersion: 1, student: nil, createdAt: Timestamp(microseconds: 1))
        let content = RecordContent(tree: Array("tree".utf8), standing: Array("standing".utf8))
        return RecordRow(
            snapshot: RecordSnapshot(
                head: head, epoch: Epoch("e"), fullVersion: version, releasedVersion: version, full: content,
                released: nil),
            end: TrailEnd(change: version, link: []))
    }

    @Test func `is nothing that was read while the record became another`() {
        let recent = RecentRecords(capacity: 16 << 20)
        let id = RecordID("record")
        let before = recent.moment
        recent.keep(row(version: 1), readSince: before)
        #expect(recent[id] == row(version: 1))

        recent.commitBegins(of: [id])
        #expect(recent[id] == nil)
        let during = recent.moment
        recent.keep(row(version: 1), readSince: before)
        recent.keep(row(version: 1), readSince: during)
        #expect(recent[id] == nil)

        recent.commitEnds(with: [(id, row(version: 2))])
        recent.keep(row(version: 1), readSince: before)
        recent.keep(row(version: 1), readSince: during)
        #expect(recent[id] == row(version: 2))

        recent.commitBegins(of: [id])
        recent.commitEnds(with: [(id, row(version: 3)), (id, nil)])
        #expect(recent[id] == nil)
        recent.keep(row(version: 4), readSince: recent.moment)
        #expect(recent[id] == row(version: 4))
    }
}
