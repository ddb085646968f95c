import GradingKit
@testable import Institutions
import Records
import Regulations
import Shared
import TestKit
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

    @Test func `who publishes is charged for what the proof took, also of what may not be published`() async throws {
        // An hour of a processor.
        let harness = try await ProgramHarness(proving: { _, configuration, spending in
            guard String(decoding: configuration, as: UTF8.self).contains("99") else { return false }
            spending(3_600_000_000_000)
            throw FaultList([Fault("law_broken")])
        })
        try await harness.draft(lowestA: 99)
        let digest = try await harness.rehearse().digest
        await #expect(throws: FaultList([Fault("law_broken")])) { _ = try await harness.publish(digest) }
        #expect(try await refusal { _ = try await harness.publish(digest) } == "rate_limited")
        #expect(try await harness.current().newest == 1)
    }

    @Test(arguments: [nil, Fault("law_broken")])
    func `the proof of a document tells once what it took, whether it holds or not`(fault: Fault?) async throws {
        var schemes = SchemeRegistry()
        try schemes.install(.regulations { _ in fault.map { [$0] } ?? [] })
        let check = ConfigurationCheck.asking(schemes, on: OnTheSpot())
        let document: JSON = ["document": "```rules\nregulation half \"Half\" language 1\nlet a = 1\n```\n"]
        let moment = Timestamp(microseconds: 0)
        let draft = ProgramDraft(preset: nil, configuration: document.bytes, editedAt: moment)
        let program = Program(
            id: ProgramID("p"), institution: InstitutionID("i"), scheme: "regulations", createdAt: moment,
            title: "Half", entry: .staff, draft: draft, revision: Revision(epoch: Epoch("e"), version: 1))
        let spent = Recorder<Int64>()
        let proving = { try await check.prove(draft, of: program) { spent.record($0) } }
        if fault == nil {
            #expect(try await proving())
        } else {
            await #expect(throws: FaultList.self) { _ = try await proving() }
        }
        #expect(spent.items.count == 1)
    }
}
