import Glibc
import GradingKit
import Institutions
import Records
import SQLiteStore
@testable import Application
import Shared
import TestKit
import Testing

@Suite struct RehearsalTests {
    private func isMismatch(_ publish: () async throws -> Publishing.Outcome) async throws -> Bool {
        do {
            _ = try await publish()
            return false
        } catch let error as UseCaseError {
            return error.code == "digest_mismatch"
        }
    }

    @Test func `what the draft sees otherwise is counted and listed, and the digest publishes it`() async throws {
        let harness = try await ProgramHarness()
        let kept = try await harness.record(total: 95)
        let raised = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        let rehearsal = try await harness.rehearse()
        #expect(rehearsal.state == .done)
        #expect((rehearsal.done, rehearsal.total) == (2, 2))
        #expect((rehearsal.counts.letters, rehearsal.counts.records, rehearsal.counts.refused) == (1, 1, 0))
        let rows = try await harness.work.rehearsals.rows
            .page(of: rehearsal.id, after: nil, limit: 50)
        #expect(Set(rows.map(\.record)) == [raised])
        #expect(!rows.map(\.record).contains(kept))
        #expect(
            rows.first { $0.details["kind"] == "letter" }?.cells.suffix(6) == [
                "letter", "total", "B", "A", "Algorithms", "",
            ])
        #expect(rows.map(\.account) == Array(repeating: AccountID("student"), count: rows.count))
        let outcome = try await harness.publish(rehearsal.digest)
        #expect(outcome.program.newest == 2)
        #expect(outcome.changedSince == 0)
    }

    @Test func `a digest stands for one draft against one version`() async throws {
        let harness = try await ProgramHarness()
        try await harness.draft(lowestA: 80)
        let first = try await harness.rehearse()
        try await harness.draft(lowestA: 81)
        #expect(try await isMismatch { try await harness.publish(first.digest) })
        #expect(try await isMismatch { try await harness.publish("another") })
        let second = try await harness.rehearse()
        #expect(second.digest != first.digest)
        #expect(try await harness.publish(second.digest).program.newest == 2)
        // The same draft again, but against the version that came of it.
        try await harness.draft(lowestA: 81)
        #expect(try await isMismatch { try await harness.publish(second.digest) })
    }

    @Test func `the same cohort under the same draft has the same digest`() async throws {
        let harness = try await ProgramHarness()
        let record = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        let (first, second) = (try await harness.rehearse(), try await harness.rehearse())
        #expect(first.digest == second.digest)
        try await harness.amend(record, [.delete(entry(of: record, in: harness))])
        #expect(try await harness.rehearse().digest != first.digest)
    }

    private func entry(of record: RecordID, in harness: ProgramHarness) async throws -> EntryID {
        let tree = try await harness.store.snapshot(of: record)?.full.tree ?? []
        return EntryID(try JSON.parse(tree)["entries"]?.array?.first?["id"]?.string ?? "")
    }

    @Test func `what changed, came and went since is told, not refused`() async throws {
        let harness = try await ProgramHarness()
        let (changed, gone) = (try await harness.record(total: 85), try await harness.record(total: 85))
        _ = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        let rehearsal = try await harness.rehearse()
        try await harness.amend(changed, [.delete(entry(of: changed, in: harness))])
        try await harness.store.delete(gone, by: harness.writing())
        let new = try await harness.record(total: 85)
        let outcome = try await harness.publish(rehearsal.digest)
        #expect(outcome.changedSince == 3)
        #expect(Set(outcome.rows.map(\.record)) == [new])
    }

    @Test func `a rehearsal gives way to a later one`() async throws {
        let harness = try await ProgramHarness()
        _ = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        let first = try await harness.begin()
        let second = try await harness.begin()
        await harness.work.rehearsals.carryOutAll()
        let states = (
            try await harness.rehearsal(first.id).state,
            try await harness.rehearsal(second.id).state
        )
        #expect(states == (.cancelled, .done))
    }

    @Test func `a rehearsal that was stopped stays stopped and has no digest`() async throws {
        let harness = try await ProgramHarness()
        _ = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        let begun = try await harness.begin()
        let cancelled = try await harness.work.rehearsals.cancel(begun.id, under: harness.permit(to: May.Write.self))
        #expect(cancelled.state == .cancelled)
        await harness.work.rehearsals.carryOutAll()
        #expect(try await harness.rehearse().state == .done)
        let stopped = try await harness.rehearsal(begun.id)
        #expect((stopped.state, stopped.digest) == (.cancelled, nil))
    }

    @Test func `a rehearsal that is cut off goes on where it was, to the digest of one that was not`() async throws {
        let harness = try await ProgramHarness()
        for _ in 0..<40 { _ = try await harness.record(total: 85) }
        try await harness.draft(lowestA: 80)
        let whole = try await harness.rehearse()
        var begun = try await harness.begin()
        // Another process has compared some records, as they stand, and then ended.
        let lease = try #require(try await harness.store.claim(.rehearsals, by: harness.claim()))
        let first = try await harness.store.trees(of: harness.program, after: nil, limit: 10)
        let comparison = try await harness.work.rehearsals.comparison(
            of: harness.current(), for: begun.basis)
        var found: [RehearsedRecord] = []
        for stored in first { found.append(try await comparison.compare(stored)) }
        for record in found { begun.counts.add(record) }
        begun.done = found.count
        try await harness.store.advance(begun, finding: found, under: lease)
        await harness.work.rehearsals.carryOutAll()
        #expect(try await harness.rehearsal(begun.id).state == .running)
        try await harness.store.release(lease)
        await harness.work.rehearsals.carryOutAll()
        let ended = try await harness.rehearsal(begun.id)
        #expect((ended.state, ended.done, ended.digest) == (.done, 40, whole.digest))
        #expect(ended.counts == whole.counts)
        await #expect(throws: LeaseLost()) {
            try await harness.store.advance(begun, finding: found, under: lease)
        }
    }
}
