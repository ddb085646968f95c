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
        let rows = [#""credits":5"#, #""title":"Logic""#].map {
            #"{"record":"\#(record)","entry":"\#(course)","fields":{\#($0)}}"#
        }
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

    /// Rows of a course of Ada's: its members, and whether each row is entered.
    private static let repetitions: [([String], [Bool])] = [
        ([#""fields":{"credits":5}"#, #""fields":{"credits":7}"#], [false, false]),
        ([#""fields":{"credits":5}"#, #""fields":{"credits":"5.0"}"#], [true, true]),
        ([#""fields":{"credits":5}"#, #""fields":{"title":"Logic"}"#], [true, true]),
        (
            [
                #""fields":{"credits":5,"title":"Logic"}"#, #""fields":{"title":"Sets"}"#,
                #""fields":{"title":"Logic"}"#, #""fields":{"credits":5}"#,
            ], [false, false, false, true]
        ),
        ([#""status":"excused""#, #""status":null"#], [false, false]),
        ([#""fields":{"credits":"x"}"#, #""fields":{"credits":5}"#], [false, false]),
    ]

    @Test(arguments: repetitions)
    func `of rows that say different things of one place none is entered`(
        rows: [String], accepted: [Bool]
    ) async throws {
        let harness = try await ProgramHarness()
        let ada = try await harness.caller("ada", as: "student")
        let teacher = try await harness.caller("tea", as: "teacher")
        let record = try await harness.record(of: ada, total: 80)
        let course = try await harness.course(of: record)
        let text = rows.map { #"{"record":"\#(record)","entry":"\#(course)",\#($0)}"# }.joined(separator: "\n")
        let body = ResultBody(bytes: Array(text.utf8), form: .lines)
        let results = ResultWriter(
            under: try await harness.permit(to: May.Grade.self, for: teacher.principal), of: harness.records,
            accounts: harness.accounts, hidden: nil, by: teacher)
        var writer = JSONWriter()
        try await harness.work.imports.preview(body, by: results).write(to: &writer, in: .english)
        let seen = try JSON.parse(writer.bytes)["rows"]?.array?.map { $0["faults"] == nil }
        #expect(seen == accepted)
        let made = try await harness.work.imports.begin(body, by: results, waits: false)
        #expect(made.entry.accepted == accepted.count { $0 })
        let codes = made.items.compactMap { $0["faults"]?.array?.first?["code"]?.string }
        #expect(codes == accepted.filter { !$0 }.map { _ in "row_twice" })
    }
}
