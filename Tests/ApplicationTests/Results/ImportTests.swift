import GradingKit
import Records
@testable import Application
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct ImportTests {
    private func entry(_ id: String, key: String? = nil, digest: [UInt8] = [1], rows: Int = 40) -> ImportEntry {
        ImportEntry(
            id: id, program: ProgramID("p"), account: AccountID("a"), startedAt: WallClock.system.now,
            key: key.map { IdempotencyKey(key: $0, digest: digest) }, total: rows)
    }

    @Test func `an import that a stop of the server cut off is found to have failed, as far as it was`() async throws {
        let directory = try TemporaryDirectory()
        let file = try WorkFile(path: directory.file("work"))
        var begun = entry("1")
        #expect(try await file.begin(begun) == .begun(begun))
        (begun.done, begun.accepted, begun.refused) = (32, 30, 2)
        try await file.update(begun)
        await file.close()
        let again = try WorkFile(path: directory.file("work"))
        let found = try #require(try await again.entry("1"))
        #expect(found.state == .failed)
        #expect([found.total, found.done, found.accepted, found.refused] == [40, 32, 30, 2])
        #expect(try await again.entry("2") == nil)
        await again.close()
    }

    @Test func `a key stands for one import, which is taken up again when it failed`() async throws {
        let directory = try TemporaryDirectory()
        let file = try WorkFile(path: directory.file("work"))
        var first = entry("1", key: "k")
        #expect(try await file.begin(first) == .begun(first))
        #expect(try await file.begin(entry("2", key: "k")) == .known(first))
        await #expect(throws: StoreError.idempotencyMismatch) {
            try await file.begin(entry("3", key: "k", digest: [2]))
        }
        (first.state, first.done, first.rows) = (.done, 40, Array("[]".utf8))
        try await file.update(first)
        #expect(try await file.begin(entry("4", key: "k")) == .known(first))
        first.state = .failed
        try await file.update(first)
        #expect(try await file.begin(entry("5", key: "k")) == .begun(first.begunAgain()))
        let other = entry("6", key: "other")
        #expect(try await file.begin(other) == .begun(other))
        await file.close()
    }

    @Test func `what is listed of refused rows is bounded, whatever they are`() throws {
        var found = ResultImport(entry("1", rows: 20_000))
        let faults = (0..<500).map { Fault(.unknownField, at: "/" + String(repeating: "x", count: 1_000) + "\($0)") }
        for row in 1...2_000 { found.add(ResultImport.Item(row: row, outcome: .refused(faults, nil))) }
        found.end(.done)
        #expect(found.entry.refused == 2_000)
        #expect(found.entry.rows.count < 2 * ResultImport.largestList)
        let rows = try JSON.parse(found.entry.rows).array ?? []
        #expect(rows.first?["faults"]?.array?.count == ResultImport.longestList.faults)
    }

    @Test func `faults are worded for whoever asks`() throws {
        var found = ResultImport(entry("1"))
        found.add(ResultImport.Item(row: 1, outcome: .refused([Fault(.missingField, at: "/record")], nil)))
        found.end(.done)
        let messages = try [Language.english, .french].map { language in
            var writer = JSONWriter()
            found.write(to: &writer, in: language, RecordOwners())
            return try JSON.parse(writer.bytes)["rows"]?.array?.first?["faults"]?.array?.first?["message"]
        }
        #expect(messages == ["This field is required", "Ce champ est obligatoire"])
    }
}
