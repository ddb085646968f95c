import Classes
import Gradebook
import GradingKit
import Live
import Shared
import TestKit
import Testing

@testable import Application

@Suite struct StatisticsServiceTests {
    @Test func `rows are counted again when the structure changes among them`() async throws {
        let harness = try await ClassHarness()
        let places = Recorder<Int>()
        harness.gradebook.interrupt { place in
            places.record(place)
            guard places.items.count == 2 else { return }
            try await harness.restructure()
        }
        let document = try await harness.working {
            try await harness.classes.statistics(of: harness.id, inPartsOf: 2, for: harness.teacher)
        }
        let json = try JSON.parse(document.bytes)
        let snapshot = try #require(try await harness.classes.store.taughtClass(harness.id))
        #expect(places.items == [0, 2, 0, 2])
        #expect(json["students"] == .number(String(ClassHarness.students)))
        #expect(json["s"] == .number(String(snapshot.structure.number)))
        #expect(document.revision.version == snapshot.version)
    }

    @Test func `a structure that changes all the time is tried three times`() async throws {
        let harness = try await ClassHarness()
        let places = Recorder<Int>()
        harness.gradebook.interrupt { place in
            places.record(place)
            if place > 0 { try await harness.restructure() }
        }
        await #expect(throws: StoreError.self) {
            try await harness.working {
                try await harness.classes.statistics(of: harness.id, inPartsOf: 2, for: harness.teacher)
            }
        }
        #expect(places.items == [0, 2, 0, 2, 0, 2])
    }

    @Test func `an account with as many calculations waiting as may wait is asked to come back`() async throws {
        let harness = try await ClassHarness(capacity: 5)
        let (classes, id, teacher) = (harness.classes, harness.id, harness.teacher)
        let first = Task { try await classes.statistics(of: id, for: teacher) }
        try await harness.someWait()
        let waiting = harness.calculations.waiting
        #expect(waiting <= 5 && 2 * waiting > 5)
        let error = await #expect(throws: UseCaseError.self) { try await classes.statistics(of: id, for: teacher) }
        #expect(error?.code == "rate_limited" && error?.retryAfter == 1)
        #expect(harness.calculations.waiting == waiting)
        let document = try await harness.working { try await first.value }
        #expect(try JSON.parse(document.bytes)["students"] == .number(String(ClassHarness.students)))
    }
}
