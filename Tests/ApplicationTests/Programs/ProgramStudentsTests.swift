import TestKit
import Records
import Shared
import Testing

@testable import Application

/// What the staff of a program read of its records, and what the audit trail tells of it.
@Suite struct ProgramStudentsTests {
    @Test func `whose records they are is told of the program's own, and recorded`() async throws {
        let harness = try await ProgramHarness()
        let ada = try await harness.caller("ada", as: "student")
        let teacher = try await harness.caller("tea", as: "teacher")
        let record = try await harness.record(of: ada, total: 80)
        let found = try await harness.work.students.owners(
            of: [record, RecordID("elsewhere")], under: harness.permit(to: May.Oversee.self, for: teacher.principal),
            for: teacher)
        #expect(found.records == [record])
        #expect(found.owners[record]?.student == ada.account)
        #expect(found.owners[record]?.displayName == "ada")
        #expect(harness.trail.items.map(\.action) == ["records.listed"])
        #expect(harness.trail.items.map(\.account) == [teacher.account])
    }

    @Test func `hidden results are told by their names with the students, and recorded`() async throws {
        let harness = try await ProgramHarness()
        let (ada, bob) = (
            try await harness.caller("ada", as: "student"), try await harness.caller("bob", as: "student")
        )
        let teacher = try await harness.caller("tea", as: "teacher")
        let hidden = [
            try await harness.record(of: ada, total: 80, hidden: true),
            try await harness.record(of: bob, total: 70, hidden: true),
        ]
        _ = try await harness.record(of: ada, total: 90)
        let found = try await harness.work.students.hiddenResults(
            under: harness.permit(to: May.Oversee.self, for: teacher.principal), for: teacher)
        #expect(found.records == 2 && found.isComplete)
        #expect(found.places.map(\.path) == [["Algorithms"]])
        #expect(found.places.map(\.count) == [2])
        #expect(found.places.first?.students.map(\.record) == hidden)
        #expect(found.places.first?.students.map(\.name) == ["ada", "bob"])
        #expect(harness.trail.items.map(\.action) == ["records.listed"])
    }

    @Test func `where nothing is hidden, nothing is told and nothing recorded`() async throws {
        let harness = try await ProgramHarness()
        let teacher = try await harness.caller("tea", as: "teacher")
        _ = try await harness.record(total: 90)
        let found = try await harness.work.students.hiddenResults(
            under: harness.permit(to: May.Oversee.self, for: teacher.principal), for: teacher)
        #expect(found.records == 0 && found.places.isEmpty && found.isComplete)
        #expect(harness.trail.items.isEmpty)
    }
}
