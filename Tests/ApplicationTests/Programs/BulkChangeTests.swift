import Accounts
import Forms
import GradingKit
import Institutions
import Records
import SQLiteStore
@testable import Application
import Shared
import Testing

@Suite struct BulkChangeTests {
    private func versions(_ records: [RecordID], in harness: ProgramHarness) async throws -> [Version] {
        var versions: [Version] = []
        for record in records { versions.append(try await harness.store.head(of: record)?.programVersion ?? 0) }
        return versions
    }

    @Test func `a move is stored with the version and brings every record to it, once`() async throws {
        let harness = try await ProgramHarness()
        var records: [RecordID] = []
        for total in 70..<110 { records.append(try await harness.record(total: min(total, 100))) }
        try await harness.draft(lowestA: 80)
        try await harness.publishUnrehearsed(.move)
        let id = "\(harness.program).2"
        #expect(try await harness.store.bulkChanges(of: harness.program).map(\.id) == [id])
        let progress = try await harness.bulkChange(id)
        #expect(progress?.finishedAt != nil)
        #expect([progress?.total, progress?.done, progress?.changed] == [40, 40, 40])
        #expect(try await Set(versions(records, in: harness)) == [2])
        let newest = try await harness.store.history(of: records[0], view: .released, before: nil, limit: 1)
        #expect(newest.map(\.change.operation) == ["move"])
    }

    @Test func `a move goes on behind the last slice that was kept`() async throws {
        let harness = try await ProgramHarness()
        var records: [RecordID] = []
        for _ in 0..<20 { records.append(try await harness.record(total: 85)) }
        records.sort()
        try await harness.draft(lowestA: 80)
        try await harness.publishUnrehearsed(.move)
        var progress = BulkChangeProgress()
        progress.cursor = records[11]
        progress.done = 12
        try await harness.leave("\(harness.program).2", at: progress)
        let moved = try await harness.bulkChange("\(harness.program).2")
        #expect([moved?.done, moved?.changed] == [20, 8])
        #expect(
            try await versions(records, in: harness) == Array(repeating: 1, count: 12) + Array(repeating: 2, count: 8))
    }

    @Test func `what was moved but not noted before a crash is counted as moved`() async throws {
        let harness = try await ProgramHarness()
        for _ in 0..<20 { _ = try await harness.record(total: 85) }
        try await harness.draft(lowestA: 80)
        try await harness.publishUnrehearsed(.move)
        let id = "\(harness.program).2"
        #expect(try await harness.bulkChange(id)?.changed == 20)
        // As if the server had been killed before the first slice was noted; one record came meanwhile.
        _ = try await harness.record(total: 85)
        let job = try #require(try await harness.store.bulkChange(id))
        let again = BulkChangeJob(
            id: "again", institution: job.institution, program: job.program, work: job.work, account: job.account,
            source: job.source, orderedAt: job.orderedAt, dueOn: job.dueOn)
        let audit = harness.act.entry("program.published", of: job.program.text, in: job.institution)
        _ = try await harness.store.insert(again, audit: audit) { _ in nil }
        let progress = try await harness.bulkChange("again")
        #expect([progress?.done, progress?.changed] == [21, 16])
    }

    @Test func `a withdrawn version moves nobody, and one by which a record is judged is not withdrawn`() async throws {
        let harness = try await ProgramHarness()
        let record = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        let later = CalendarDay(days: harness.act.at.day.days + 2)
        try await harness.publishUnrehearsed(.move, from: later)
        _ = try await harness.institutions.programs.withdraw(2, of: harness.program, by: harness.act)
        #expect(try await harness.store.bulkChanges(of: harness.program).isEmpty)
        #expect(try await versions([record], in: harness) == [1])
        try await harness.publishUnrehearsed(.keep, from: later)
        _ = try await harness.record(total: 85)
        await #expect(throws: FaultList([Fault(.versionInForce)])) {
            try await harness.institutions.programs.withdraw(3, of: harness.program, by: harness.act)
        }
    }

    @Test func `nobody moves before the day has come`() async throws {
        let harness = try await ProgramHarness()
        let record = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        let later = CalendarDay(days: harness.act.at.day.days + 2)
        try await harness.publishUnrehearsed(.move, from: later)
        #expect(try await harness.store.claim(.bulkChanges, by: harness.claim()) == nil)
        #expect(
            try await harness.store.bulkChanges(of: harness.program).first?.state(on: harness.act.at.day) == .waiting)
        #expect(try await versions([record], in: harness) == [1])
    }

    @Test(arguments: ["membership", "account"])
    func `a move stops when its author may not make it any more`(loses: String) async throws {
        let harness = try await ProgramHarness()
        let record = try await harness.record(total: 85)
        try await harness.draft(lowestA: 80)
        try await harness.publishUnrehearsed(.move)
        let server = AuditContext(by: nil, from: "test", at: harness.act.at)
        if loses == "membership" {
            let institution = try await harness.current().institution
            try await harness.institutions.members.remove(harness.registrar, from: institution, by: server)
        } else {
            _ = try await harness.accounts.administration.edit(
                AdministrativeEdit.form.read(["disabled": true]), of: harness.registrar, by: server)
        }
        let progress = try await harness.bulkChange("\(harness.program).2")
        #expect(progress?.finishedAt != nil && progress?.isStopped == true)
        #expect(progress?.changed == 0)
        #expect(try await versions([record], in: harness) == [1])
    }

    @Test func `a release shows what is hidden and leaves the rest alone`() async throws {
        let harness = try await ProgramHarness()
        let (hidden, shown) = (
            try await harness.record(total: 85, hidden: true), try await harness.record(total: 85)
        )
        let before = try await harness.store.snapshot(of: hidden)
        #expect(before?.released != nil && before?.releasedVersion == 1)
        let untouched = try await harness.store.snapshot(of: shown)
        let program = try await harness.current()
        for (number, path) in [["Nowhere"], []].enumerated() {
            let job = BulkChangeJob(
                id: "release-\(number)", institution: program.institution, program: program.id,
                work: .release(path: path), account: harness.registrar, source: "test", orderedAt: harness.act.at,
                dueOn: harness.act.at.day)
            let audit = harness.act.entry("results.released", of: program.id.text, in: program.institution)
            let stored = try await harness.store.insert(job, audit: audit) { _ in nil }
            #expect(stored.progress.total == 2)
        }
        #expect(try await harness.bulkChange("release-0")?.changed == 0)
        #expect(try await harness.bulkChange("release-1")?.changed == 1)
        let after = try await harness.store.snapshot(of: hidden)
        #expect(after?.released == nil && after?.releasedVersion == 2)
        #expect(try await harness.store.snapshot(of: shown) == untouched)
    }

    @Test func `a release that a crash cut off does not show what staff have hidden again since`() async throws {
        let stumbles = Stumbles()
        let harness = try await ProgramHarness(keepingWork: { store in
            ProgramWork.Stores(
                browser: store, bulkChanges: StumblingBulkChangeStore(store: store, stumbles: stumbles),
                rehearsals: store, imports: store, gradebook: store)
        })
        let record = try await harness.record(total: 85, hidden: true)
        let program = try await harness.current()
        let job = BulkChangeJob(
            id: "release", institution: program.institution, program: program.id, work: .release(path: []),
            account: harness.registrar, source: "test", orderedAt: harness.act.at, dueOn: harness.act.at.day)
        _ = try await harness.store.insert(
            job, audit: harness.act.entry("results.released", of: program.id.text, in: program.institution)
        ) { _ in nil }
        // The record is released, and the process ends before it has kept that.
        stumbles.begin(1, with: .unavailable("the process ends"))
        #expect(try await harness.bulkChange("release")?.done == 0)
        #expect(try await harness.store.snapshot(of: record)?.released == nil)
        try await harness.amend(record, [.patch(harness.course(of: record), ["hidden": true])])
        let hidden = try await harness.store.snapshot(of: record)
        #expect(hidden?.released != nil)
        // Another process takes the work up when the lease has ended.
        let late = harness.act.at.adding(seconds: WorkLease.duration + 1)
        try await harness.store.release(#require(harness.store.claim(.bulkChanges, by: harness.claim(at: late))))
        let progress = try await harness.bulkChange("release")
        #expect([progress?.done, progress?.changed, progress?.refused] == [1, 1, 0])
        #expect(progress?.finishedAt != nil)
        #expect(try await harness.store.snapshot(of: record) == hidden)
    }

    /// Between the two zones lie 26 hours, so that they never have the same day.
    @Test func `what is ordered is due at once, and a new record has the rules of the day, in every time zone`()
        async throws
    {
        let founded = try await ProgramHarness()
        let institution = try await founded.current().institution
        func move(to zone: String) async throws {
            _ = try await founded.institutions.tenants.edit(
                InstitutionEdit.form.read(["timeZone": .string(zone)]), of: institution, by: founded.act)
        }
        try await move(to: "Pacific/Kiritimati")
        let latest = try await founded.institutions.tenants.today(in: institution, at: founded.act.at)
        // Its first version is of the earlier day, whatever day it is in UTC.
        try await move(to: "Etc/GMT+12")
        let harness = try await founded.withNewProgram()
        for (zone, version) in [("Etc/GMT+12", 1), ("Pacific/Kiritimati", 2)] {
            try await move(to: zone)
            if version == 1 {
                try await harness.draft(lowestA: 80)
                try await harness.publishUnrehearsed(.keep, from: latest)
            }
            let ordered = try await harness.work.bulkChanges.release(
                below: [], under: harness.permit(to: May.Grade.self), by: harness.asking
            ) { _ in nil }
            #expect(try await harness.bulkChange(ordered.id)?.finishedAt != nil)
            let record = RecordID("record-\(version)")
            _ = try await harness.records.create(
                in: harness.program, for: nil, template: nil, id: record, by: harness.asking)
            #expect(try await versions([record], in: harness) == [version])
        }
    }
}
