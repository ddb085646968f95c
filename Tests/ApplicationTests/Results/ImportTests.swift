import GradingKit
import Records
@testable import Application
import Shared
import Testing

@Suite struct ImportTests {
    private func entry(_ id: String, key: String? = nil, digest: [UInt8] = [1], rows: Int = 40) -> ImportEntry {
        ImportEntry(
            id: id, program: ProgramID("p"), account: AccountID("a"), startedAt: WallClock.system.now,
            key: key.map { IdempotencyKey(key: $0, digest: digest) }, total: rows,
            order: ImportOrder(source: "127.0.0.1", reading: [], size: 0))
    }

    @Test func `what is listed of refused rows is bounded, whatever they are`() throws {
        var found = ResultImport(entry("1", rows: 20_000))
        let faults = (0..<500).map { Fault(.unknownField, at: "/" + String(repeating: "x", count: 1_000) + "\($0)") }
        for row in 1...2_000 { found.add(ResultImport.Item(row: row, outcome: .refused(faults, nil))) }
        #expect(found.entry.refused == 2_000)
        #expect(found.listed.reduce(0) { $0 + $1.text.count } < 2 * ResultImport.largestList)
        #expect(found.items.first?["faults"]?.array?.count == ResultImport.longestList.faults)
    }

    @Test func `faults are worded for whoever asks`() throws {
        var found = ResultImport(entry("1"))
        found.add(ResultImport.Item(row: 1, outcome: .refused([Fault(.missingField, at: "/record")], nil)))
        let messages = try [Language.english, .french].map { language in
            var writer = JSONWriter()
            found.write(to: &writer, in: language, RecordOwners())
            return try JSON.parse(writer.bytes)["rows"]?.array?.first?["faults"]?.array?.first?["message"]
        }
        #expect(messages == ["This field is required", "Ce champ est obligatoire"])
    }
}
