import Accounts
import GradingKit
import Records
import SQLiteStore
import Shared
import Testing

@testable import Application

@Suite struct ImportRunnerTests {
    @Test func `a store that is full delays a short import, and refuses none of its rows`() async throws {
        let stumbles = Stumbles()
        let harness = try await ProgramHarness(keepingRecords: {
            StumblingRecordStore(store: $0, stumbles: stumbles)
        })
        let records = [try await harness.record(total: 85), try await harness.record(total: 90)]
        let context = try AccountContext(
            RequestContext(
                principal: harness.principal, client: Client(source: "test"), language: .english, now: harness.act.at))
        let results = ResultWriter(
            under: try await harness.permit(to: May.Grade.self), of: harness.records, accounts: harness.accounts,
            hidden: nil, by: context)
        let rows = records.map { record in
            #"{"record":"\#(record)","path":["Algorithms"],"fields":{"credits":4}}"#
        }
        let body = ResultBody(bytes: Array(rows.joined(separator: "\n").utf8), form: .lines)
        stumbles.begin(.max, with: .full)
        let begun = try await harness.work.imports.begin(body, by: results, waits: false)
        #expect(begun.entry.state == .running)
        #expect([begun.entry.accepted, begun.entry.refused] == [0, 0])
        stumbles.end()
        await harness.work.imports.carryOutAll()
        let ended = try #require(
            try await harness.work.imports.find(begun.entry.id, into: harness.program, for: harness.asking))
        #expect(ended.entry.state == .done)
        #expect([ended.entry.accepted, ended.entry.refused] == [2, 0])
        for record in records {
            #expect(try await harness.credits(of: record) == "4")
            // Created, a course entered, and its credits once.
            #expect(try await harness.store.snapshot(of: record)?.fullVersion == 3)
        }
    }
}
