import Records
import GradingKit
import Institutions
import Shared
import Testing

@testable import Application

@Suite struct PublishingTests {
    @Test func `nothing is published without a digest or a draft`() async throws {
        let harness = try await ProgramHarness()
        await #expect(throws: FaultList([Fault(.missingField, at: "/digest")])) { _ = try await harness.publish(nil) }
        await #expect(throws: FaultList([Fault(.draftMissing)])) { _ = try await harness.publish("anything") }
        #expect(try await harness.current().newest == 1)
    }

    @Test func `a digest publishes only the draft that was rehearsed, by the first one who asks`() async throws {
        let harness = try await ProgramHarness()
        _ = try await harness.record(total: 80)
        try await harness.draft(lowestA: 85)
        let digest = try await harness.rehearse().digest
        #expect(try await refusal { _ = try await harness.publish("another") } == "digest_mismatch")
        let outcome = try await harness.publish(digest, .move)
        #expect(outcome.program.newest == 2)
        #expect(outcome.move?.progress.total == 1)
        #expect(outcome.changedSince == 0)
        try await harness.draft(lowestA: 95)
        #expect(try await refusal { _ = try await harness.publish(digest) } == "digest_mismatch")
        #expect(try await harness.current().newest == 2)
    }
}
