import Records
import Shared
import Testing

@testable import Application

@Suite struct UndoTests {
    private let harness: ProgramHarness
    private let teacher: AccountContext
    private let record: RecordID

    init() async throws {
        harness = try await ProgramHarness()
        teacher = try await harness.caller("tea", as: "teacher")
        record = try await harness.record(total: 80)
    }

    private func enter(_ credits: Int, by caller: AccountContext) async throws -> WriteOutcome {
        try await harness.records.edit(record, harness.credits(credits, of: record), by: caller)
    }

    private func undo(_ version: Version? = nil, by caller: AccountContext) async throws {
        _ = try await harness.records.undo(record, version: version, by: caller)
    }

    @Test func `takes back one change after the other, the newest first, until there is none`() async throws {
        _ = try await enter(5, by: teacher)
        _ = try await enter(7, by: teacher)
        try await undo(by: teacher)
        #expect(try await harness.credits(of: record) == "5")
        try await undo(by: teacher)
        #expect(try await harness.credits(of: record) == "3")
        #expect(try await refusal { try await undo(by: teacher) } == "nothing_to_undo")
    }

    @Test func `a version can be taken back by the one who made it alone`() async throws {
        let colleague = try await harness.caller("col", as: "teacher")
        let version = try await enter(5, by: teacher).revision.version
        #expect(try await refusal { try await undo(version, by: colleague) } == "forbidden")
        #expect(try await refusal { try await undo(by: colleague) } == "nothing_to_undo")
        #expect(try await refusal { try await undo(version + 1, by: teacher) } == "not_found")
        try await undo(version, by: teacher)
        #expect(try await harness.credits(of: record) == "3")
    }

    @Test func `what was changed again since stays`() async throws {
        let colleague = try await harness.caller("col", as: "teacher")
        _ = try await enter(5, by: teacher)
        _ = try await enter(7, by: colleague)
        let course = try await harness.course(of: record)
        await #expect(throws: Undo.Superseded.self) { try await undo(by: teacher) }
        #expect(try await harness.credits(of: record) == "7")
        #expect(try await harness.course(of: record) == course)
    }
}
