import GradingKit
import Institutions
import Live
import Records
import SQLiteStore
@testable import Application
import Shared
import Testing

@Suite struct CohortTests {
    private func json(_ house: ProgramHouse) async throws -> JSON {
        try JSON.parse(try await house.work.cohorts.document(of: house.program)?.bytes ?? [])
    }

    @Test func `fewer than five say nothing but how many they are`() async throws {
        let house = try await ProgramHouse()
        for _ in 0..<4 { _ = try await house.record(total: 85) }
        let cohort = try await json(house)
        #expect(cohort["records"] == 4)
        #expect(cohort["suppressed"] == true)
        #expect(cohort["letters"] == [:])
        #expect(cohort["figures"] == [:])
    }

    @Test func `a picture that followed the changes is the one made anew`() async throws {
        let house = try await ProgramHouse()
        for total in [55, 65, 75, 85, 95, 96, 97, 98] { _ = try await house.record(total: total) }
        let first = try await house.work.cohorts.document(of: house.program)
        #expect(try await house.work.cohorts.document(of: house.program) == first)
        for total in [91, 92, 10] { _ = try await house.record(total: total) }
        let followed = try await house.work.cohorts.document(of: house.program)
        #expect(followed?.revision.version == 2)
        let fresh = CohortProjector(
            projections: house.store, browser: house.store, programs: house.institutions.programs, clock: .system)
        #expect(try await fresh.document(of: house.program) == followed)
        let cohort = try await json(house)
        #expect(cohort["records"] == 11)
        #expect(cohort["letters"] == ["A": 6])
        // Seven are green; but then it would be known that four are not.
        #expect(cohort["figures"]?["gpa"]?["bands"] == [:])
        let none = try await house.work.cohorts.document(of: ProgramID("none"))
        #expect(none == nil)
    }

    @Test func `what is gone is counted no longer`() async throws {
        let house = try await ProgramHouse()
        var records: [RecordID] = []
        for _ in 0..<6 { records.append(try await house.record(total: 85)) }
        #expect(try await json(house)["letters"] == ["B": 6])
        try await house.store.delete(records[0], by: house.writing())
        #expect(try await json(house)["letters"] == ["B": 5])
        #expect(try await json(house)["records"] == 5)
    }
}
