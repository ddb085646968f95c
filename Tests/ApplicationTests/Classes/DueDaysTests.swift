import Classes
import Forms
import Gradebook
import GradingKit
import Institutions
import Observability
import Shared
import TestKit
import Testing
import TimeZones

@testable import Application

@Suite struct DueDaysTests {
    /// Looks for days that are over, some days after the teacher's acts; each call is a process of its own.
    private func look(
        _ harness: ClassHarness, days: Int = 0, log: Recorder<String> = Recorder(), times: Int = 1
    ) async {
        await look(harness, at: harness.teacher.now.adding(seconds: Int64(days * 86_400)), log: log, times: times)
    }

    private func look(
        _ harness: ClassHarness, at now: Timestamp, log: Recorder<String> = Recorder(), times: Int = 1
    ) async {
        let output = LogOutput(form: .json, time: { "now" }) { log.record(String(decoding: $0, as: UTF8.self)) }
        let dueDays = DueDays(
            harness.classes, accounts: harness.programs.accounts, clock: WallClock { now },
            log: Log(level: .info, output: output))
        var setbacks: [ClassID: DueDays.Setback] = [:]
        for _ in 0..<times { await dueDays.dealWithWhatIsOver(&setbacks) }
    }

    /// Makes work due today and tomorrow, in a class in which empty cells become missing.
    private func begin(_ harness: ClassHarness, from today: CalendarDay? = nil) async throws -> [LineID] {
        let structure = try #require(try await harness.classes.store.taughtClass(harness.id)?.structure)
        let lines = structure.lines.dropFirst().map(\.id)
        let today = today ?? harness.teacher.now.day
        let steps = zip(lines, 0...).prefix(2).map { line, days in
            var patch = LinePatch()
            patch.due = CalendarDay(days: today.days + days)
            return StructureChange.patch(line, patch)
        }
        let policy = StructureChange.policy(WorkPolicy(absence: .init(share: 0, isAutomatic: true)))
        _ = try await harness.classes.change(harness.id, steps + [policy], reason: nil, by: harness.teacher)
        return lines
    }

    private func institution(of harness: ClassHarness) async throws -> InstitutionID {
        try #require(try await harness.classes.store.taughtClass(harness.id)).head.institution
    }

    private func missing(_ harness: ClassHarness) async throws -> [Int] {
        let rows = try #require(try await harness.classes.store.rows(of: harness.id, since: 0)).rows
        return (1...3).map { number in rows.count { $0.row[number].isMissing } }
    }

    @Test func `when a due day is over, work without a result is missing, by an act of its own`() async throws {
        let harness = try await ClassHarness()
        try await harness.working {
            let lines = try await begin(harness)
            let rows = try #require(try await harness.classes.store.rows(of: harness.id, since: 0)).rows
            _ = try await harness.classes.enter(
                harness.id, [CellChange(rows[0].enrolment.id, lines[0], value: 80)], .all, reason: nil,
                by: harness.teacher)
            await look(harness)
            #expect(try await missing(harness) == [0, 0, 0])
            await look(harness, days: 1)
            #expect(try await missing(harness) == [ClassHarness.students - 1, 0, 0])
            let ledger = try await harness.classes.store.ledger(of: harness.id, nil, before: nil, limit: 2)
            #expect(ledger.map(\.operation) == ["missed", "missed"])
            #expect(ledger.map(\.source) == ["job", "job"])
            #expect(ledger.map(\.account) == [harness.teacher.account, harness.teacher.account])
            await look(harness, days: 9)
            #expect(try await missing(harness) == [ClassHarness.students - 1, ClassHarness.students, 0])
        }
    }

    @Test(arguments: [("Pacific/Kiritimati", 14), ("Asia/Shanghai", 8), ("Pacific/Pago_Pago", -11)])
    func `a day is over by the clocks of the institution`(name: String, ahead: Int) async throws {
        let harness = try await ClassHarness()
        let school = try await institution(of: harness)
        _ = try await harness.programs.institutions.tenants.edit(
            InstitutionEdit.form.read(["timeZone": .string(name)]), of: school, by: harness.programs.act)
        try await harness.working {
            // Due the day after the students came, which is a later day in every zone.
            let day = CalendarDay(days: harness.teacher.now.day.days + 1)
            _ = try await begin(harness, from: day)
            // The last second of the institution's day, and the next one.
            let end = Timestamp(microseconds: Int64(day.days + 1) * 86_400_000_000).adding(
                seconds: Int64(-ahead) * 3_600)
            for (moment, count) in [(end.adding(seconds: -1), 0), (end, ClassHarness.students)] {
                await look(harness, at: moment)
                #expect(try await missing(harness) == [count, 0, 0])
            }
        }
    }

    @Test func `a class that cannot be dealt with is told in the log once, and waits`() async throws {
        let harness = try await ClassHarness()
        try await harness.working {
            _ = try await begin(harness)
            _ = try await harness.programs.institutions.members.remove(
                harness.teacher.account, from: try await institution(of: harness), by: harness.programs.act)
            let log = Recorder<String>()
            await look(harness, days: 1, log: log, times: 3)
            #expect(log.items.count == 1)
            #expect(log.items.first?.contains("work cannot be marked as missing") == true)
            #expect(log.items.first?.contains(harness.id.text) == true)
            #expect(try await missing(harness) == [0, 0, 0])
        }
    }

    @Test func `several processes that look at once deal with a day once`() async throws {
        let harness = try await ClassHarness()
        try await harness.working {
            _ = try await begin(harness)
            let before = try #require(try await harness.classes.store.taughtClass(harness.id)?.version)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { await look(harness, days: 9) } }
            }
            #expect(try await missing(harness) == [ClassHarness.students, ClassHarness.students, 0])
            #expect(try await harness.classes.store.taughtClass(harness.id)?.version == before + 2)
        }
    }
}
