import GradingKit
import Records
import SQLiteStore
import Shared
import Testing

@testable import Application

@Suite struct RecordCalculationsTests {
    private let harness: ProgramHarness
    private let ada: AccountContext
    private let teacher: AccountContext
    private let record: RecordID
    private let calculations: RecordCalculations

    init() async throws {
        harness = try await ProgramHarness()
        ada = try await harness.caller("ada", as: "student")
        teacher = try await harness.caller("tea", as: "teacher")
        record = try await harness.record(of: ada, total: 80)
        calculations = RecordCalculations(
            harness.records, Calculations(perSecond: 1_000, workers: 1), gradebook: harness.store)
    }

    @Test func `a what-if answers with another standing and stores nothing`() async throws {
        let before = try #require(try await harness.store.snapshot(of: record))
        let text = Array(#"{"changes":[{"op":"delete","entry":"\#(try await harness.course(of: record))"}]}"#.utf8)
        let standing = try JSON.parse(
            try await calculations.whatIf(record, text, explaining: .none, for: ada) { try JSON.parse(text) })
        let stored = try JSON.parse(before.full.standing)
        #expect(stored["figures"]?["gpa"]?["display"]?.string != "")
        #expect(standing["figures"]?["gpa"]?["display"]?.string == "")
        #expect(try await harness.store.snapshot(of: record) == before)
    }

    @Test func `what a scheme refuses of a what-if is told in its words`() async throws {
        let text = Array(#"{"changes":[{"op":"delete","entry":"nowhere"}]}"#.utf8)
        #expect(
            try await refusal {
                _ = try await calculations.whatIf(record, text, explaining: .none, for: ada) { try JSON.parse(text) }
            } != nil)
    }

    @Test func `the people in a record are its student and the staff who entered something`() async throws {
        _ = try await harness.records.edit(record, harness.credits(2, of: record), by: teacher)
        let people = try JSON.parse(try await calculations.people(in: record, for: ada))
        #expect(people["student"]?["displayName"]?.string == "ada")
        #expect(people["staff"]?.array?.compactMap { $0["displayName"]?.string } == ["tea"])
    }

    @Test func `of another's record a student learns nothing`() async throws {
        let eve = try await harness.caller("eve", as: "student")
        #expect(try await refusal { _ = try await calculations.people(in: record, for: eve) } == "not_found")
    }
}
