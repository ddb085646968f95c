import GradingKit
import Institutions
import Live
import Records
import SQLiteStore
@testable import Application
import Shared
import Testing

@Suite struct CohortTests {
    private func json(_ harness: ProgramHarness) async throws -> JSON {
        try JSON.parse(try await harness.work.cohorts.document(of: harness.program)?.bytes ?? [])
    }

    @Test func `fewer than five say nothing but how many they are`() async throws {
        let harness = try await ProgramHarness()
        for _ in 0..<4 { _ = try await harness.record(total: 85) }
        let cohort = try await json(harness)
        #expect(cohort["records"] == 4)
        #expect(cohort["suppressed"] == true)
        #expect(cohort["letters"] == [:])
        #expect(cohort["figures"] == [:])
    }

    @Test func `a picture that followed the changes is the one made anew`() async throws {
        let harness = try await ProgramHarness()
        for total in [55, 65, 75, 85, 95, 96, 97, 98] { _ = try await harness.record(total: total) }
        let first = try await harness.work.cohorts.document(of: harness.program)
        #expect(try await harness.work.cohorts.document(of: harness.program) == first)
        for total in [91, 92, 10] { _ = try await harness.record(total: total) }
        let followed = try await harness.work.cohorts.document(of: harness.program)
        #expect(followed?.revision.version == 2)
        let fresh = CohortProjector(
            projections: harness.store, browser: harness.store, programs: harness.institutions.programs, clock: .system)
        #expect(try await fresh.document(of: harness.program) == followed)
        let cohort = try await json(harness)
        #expect(cohort["records"] == 11)
        #expect(cohort["letters"] == ["A": 6])
        // Seven are green; but then it would be known that four are not.
        #expect(cohort["figures"]?["gpa"]?["bands"] == [:])
        let none = try await harness.work.cohorts.document(of: ProgramID("none"))
        #expect(none == nil)
    }

    @Test func `what is gone is counted no longer`() async throws {
        let harness = try await ProgramHarness()
        var records: [RecordID] = []
        for _ in 0..<6 { records.append(try await harness.record(total: 85)) }
        #expect(try await json(harness)["letters"] == ["B": 6])
        try await harness.store.delete(records[0], by: harness.writing())
        #expect(try await json(harness)["letters"] == ["B": 5])
        #expect(try await json(harness)["records"] == 5)
    }
}
