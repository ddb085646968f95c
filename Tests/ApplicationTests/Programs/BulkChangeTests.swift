import Accounts
import GradingKit
import Institutions
import Records
import SQLiteStore
@testable import Application
import Shared
import Testing

@Suite struct BulkChangeTests {
    private func versions(_ records: [RecordID], in house: ProgramHouse) async throws -> [Version] {
        var versions: [Version] = []
        for record in records { versions.append(try await house.store.head(of: record)?.programVersion ?? 0) }
        return versions
    }

    @Test func `a move is stored with the version and brings every record to it, once`() async throws {
        let house = try await ProgramHouse()
        var records: [RecordID] = []
        for total in 70..<110 { records.append(try await house.record(total: min(total, 100))) }
        try await house.draft(lowestA: 80)
        try await house.publishUnrehearsed(.move)
        let id = "\(house.program).2"
        #expect(try await house.store.bulkChanges(of: house.program).map(\.id) == [id])
        let progress = try await house.bulkChange(id)
        #expect(progress?.finishedAt != nil)
        #expect([progress?.total, progress?.done, progress?.changed] == [40, 40, 40])
        #expect(try await Set(versions(records, in: house)) == [2])
        let newest = try await house.store.history(of: records[0], view: .released, before: nil, limit: 1)
        #expect(newest.map(\.change.operation) == ["move"])
    }

    @Test func `a move goes on behind the last slice that was kept`() async throws {
        let house = try await ProgramHouse()
        var records: [RecordID] = []
        for _ in 0..<20 { records.append(try await house.record(total: 85)) }
        records.sort()
        try await house.draft(lowestA: 80)
        try await house.publishUnrehearsed(.move)
        var progress = BulkChangeProgress()
        progress.cursor = records[11]
        progress.done = 12
        try await house.leave("\(house.program).2", at: progress)
        let moved = try await house.bulkChange("\(house.program).2")
        #expect([moved?.done, moved?.changed] == [20, 8])
        #expect(
            try await versions(records, in: house) == Array(repeating: 1, count: 12) + Array(repeating: 2, count: 8))
    }

    @Test func `what was moved but not noted before a crash is counted as moved`() async throws {
        let house = try await ProgramHouse()
        for _ in 0..<20 { _ = try await house.record(total: 85) }
        try await house.draft(lowestA: 80)
        try await house.publishUnrehearsed(.move)
        let id = "\(house.program).2"
        #expect(try await house.bulkChange(id)?.changed == 20)
        // As if the server had been killed before the first slice was noted; one record came meanwhile.
        _ = try await house.record(total: 85)
        let job = try #require(try await house.store.bulkChange(id))
        let again = BulkChangeJob(
            id: "again", institution: job.institution, program: job.program, work: job.work, account: job.account,
            source: job.source, orderedAt: job.orderedAt, dueOn: job.dueOn)
        let audit = house.act.entry("program.published", of: job.program.text, in: job.institution)
        _ = try await house.store.insert(again, audit: audit) { _ in nil }
        let progress = try await house.bulkChange("again")
        #expect([progress?.done, progress?.changed] == [21, 16])
    }

    @Test func `a withdrawn version moves nobody, and one by which a record is judged is not withdrawn`() async throws {
        let house = try await ProgramHouse()
        let record = try await house.record(total: 85)
        try await house.draft(lowestA: 80)
        let later = CalendarDay(days: house.act.at.day.days + 2)
        try await house.publishUnrehearsed(.move, from: later)
        _ = try await house.institutions.programs.withdraw(2, of: house.program, by: house.act)
        #expect(try await house.store.bulkChanges(of: house.program).isEmpty)
        #expect(try await versions([record], in: house) == [1])
        try await house.publishUnrehearsed(.keep, from: later)
        _ = try await house.record(total: 85)
        await #expect(throws: FaultList([Fault(.versionInForce)])) {
            try await house.institutions.programs.withdraw(3, of: house.program, by: house.act)
        }
    }

    @Test func `nobody moves before the day has come`() async throws {
        let house = try await ProgramHouse()
        let record = try await house.record(total: 85)
        try await house.draft(lowestA: 80)
        let later = CalendarDay(days: house.act.at.day.days + 2)
        try await house.publishUnrehearsed(.move, from: later)
        #expect(try await house.store.claim(.bulkChanges, by: house.claim()) == nil)
        #expect(try await house.store.bulkChanges(of: house.program).first?.state(on: house.act.at.day) == .waiting)
        #expect(try await versions([record], in: house) == [1])
    }

    @Test(arguments: ["membership", "account"])
    func `a move stops when its author may not make it any more`(loses: String) async throws {
        let house = try await ProgramHouse()
        let record = try await house.record(total: 85)
        try await house.draft(lowestA: 80)
        try await house.publishUnrehearsed(.move)
        let server = AuditContext(by: nil, from: "test", at: house.act.at)
        if loses == "membership" {
            let institution = try await house.current().institution
            try await house.institutions.members.remove(house.registrar, from: institution, by: server)
        } else {
            _ = try await house.accounts.administration.edit(
                AdministrativeEdit(["disabled": true]), of: house.registrar, by: server)
        }
        let progress = try await house.bulkChange("\(house.program).2")
        #expect(progress?.finishedAt != nil && progress?.isStopped == true)
        #expect(progress?.changed == 0)
        #expect(try await versions([record], in: house) == [1])
    }

    @Test func `a release shows what is hidden and leaves the rest alone`() async throws {
        let house = try await ProgramHouse()
        let (hidden, shown) = (
            try await house.record(total: 85, hidden: true), try await house.record(total: 85)
        )
        let before = try await house.store.snapshot(of: hidden)
        #expect(before?.released != nil && before?.releasedVersion == 1)
        let untouched = try await house.store.snapshot(of: shown)
        let program = try await house.current()
        for (number, path) in [["Nowhere"], []].enumerated() {
            let job = BulkChangeJob(
                id: "release-\(number)", institution: program.institution, program: program.id,
                work: .release(path: path), account: house.registrar, source: "test", orderedAt: house.act.at,
                dueOn: house.act.at.day)
            let audit = house.act.entry("results.released", of: program.id.text, in: program.institution)
            let stored = try await house.store.insert(job, audit: audit) { _ in nil }
            #expect(stored.progress.total == 2)
        }
        #expect(try await house.bulkChange("release-0")?.changed == 0)
        #expect(try await house.bulkChange("release-1")?.changed == 1)
        let after = try await house.store.snapshot(of: hidden)
        #expect(after?.released == nil && after?.releasedVersion == 2)
        #expect(try await house.store.snapshot(of: shown) == untouched)
    }
}
