import Records
import GradingKit
import Institutions
import Shared
import Testing

@testable import Application

@Suite struct PublishingTests {
    @Test func `nothing is published without a digest or a draft`() async throws {
        let house = try await ProgramHouse()
        await #expect(throws: FaultList([Fault(.missingField, at: "/digest")])) { _ = try await house.publish(nil) }
        await #expect(throws: FaultList([Fault(.draftMissing)])) { _ = try await house.publish("anything") }
        #expect(try await house.current().newest == 1)
    }

    @Test func `a digest publishes only the draft that was rehearsed, by the first one who asks`() async throws {
        let house = try await ProgramHouse()
        _ = try await house.record(total: 80)
        try await house.draft(lowestA: 85)
        let digest = try await house.rehearse().digest
        #expect(try await refusal { _ = try await house.publish("another") } == "digest_mismatch")
        let outcome = try await house.publish(digest, .move)
        #expect(outcome.program.newest == 2)
        #expect(outcome.move?.progress.total == 1)
        #expect(outcome.changedSince == 0)
        try await house.draft(lowestA: 95)
        #expect(try await refusal { _ = try await house.publish(digest) } == "digest_mismatch")
        #expect(try await house.current().newest == 2)
    }
}
