import GradingKit
import Records
import SQLiteStore
import Shared
import Testing

@testable import Application

@Suite struct ResultPreviewTests {
    @Test func `each row is judged after the ones before it, and nothing is stored`() async throws {
        let harness = try await ProgramHarness()
        let ada = try await harness.caller("ada", as: "student")
        let teacher = try await harness.caller("tea", as: "teacher")
        let record = try await harness.record(of: ada, total: 80)
        let course = try await harness.course(of: record)
        let before = try await harness.store.snapshot(of: record)
        let rows = [5, 7].map { #"{"record":"\#(record)","entry":"\#(course)","fields":{"credits":\#($0)}}"# }
        let text = (rows + [#"{"record":"elsewhere","entry":"x","fields":{}}"#]).joined(separator: "\n")
        let results = ResultWriter(
            under: try await harness.permit(to: May.Grade.self, for: teacher.principal), of: harness.records,
            accounts: harness.accounts, hidden: nil, by: teacher)
        var writer = JSONWriter()
        try await harness.work.imports.preview(ResultBody(bytes: Array(text.utf8), form: .lines), by: results)
            .write(to: &writer, in: .english)
        let found = try JSON.parse(writer.bytes)
        #expect(found["total"]?.text == "3" && found["accepted"]?.text == "2" && found["refused"]?.text == "1")
        let listed = try #require(found["rows"]?.array)
        #expect(listed.map { $0["student"]?["displayName"]?.string } == ["ada", "ada", nil])
        // The second row starts where the first one ended.
        #expect(listed.map { $0["before"]?["fields"]?["credits"]?.text } == ["3", "5", nil])
        #expect(try await harness.store.snapshot(of: record) == before)
    }
}
