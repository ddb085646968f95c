import Classes
import Gradebook
import GradingKit
import Shared
import Testing

@testable import Application

@Suite struct DueDaysTests {
    private static func days(_ number: Int) -> WallClock {
        WallClock { WallClock.system.now.adding(seconds: Int64(number) * 86_400) }
    }

    private func dueDays(_ harness: ClassHarness, in days: Int) -> DueDays {
        DueDays(harness.classes, accounts: harness.programs.accounts, clock: Self.days(days))
    }

    /// Makes work due today and tomorrow, in a class in which empty cells become missing.
    private func begin(_ harness: ClassHarness) async throws -> [LineID] {
        let structure = try #require(try await harness.classes.store.taughtClass(harness.id)?.structure)
        let lines = structure.lines.dropFirst().map(\.id)
        let today = WallClock.system.now.day
        let steps = zip(lines, 0...).prefix(2).map { line, days in
            var patch = LinePatch()
            patch.due = CalendarDay(days: today.days + days)
            return StructureChange.patch(line, patch)
        }
        let policy = StructureChange.policy(WorkPolicy(absence: .init(share: 0, isAutomatic: true)))
        _ = try await harness.classes.change(harness.id, steps + [policy], reason: nil, by: harness.teacher)
        return lines
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
            await dueDays(harness, in: 0).dealWithWhatIsOver()
            #expect(try await missing(harness) == [0, 0, 0])
            await dueDays(harness, in: 1).dealWithWhatIsOver()
            #expect(try await missing(harness) == [ClassHarness.students - 1, 0, 0])
            let ledger = try await harness.classes.store.ledger(of: harness.id, nil, before: nil, limit: 2)
            #expect(ledger.map(\.operation) == ["missed", "missed"])
            #expect(ledger.map(\.source) == ["job", "job"])
            #expect(ledger.map(\.account) == [harness.teacher.account, harness.teacher.account])
            await dueDays(harness, in: 9).dealWithWhatIsOver()
            #expect(try await missing(harness) == [ClassHarness.students - 1, ClassHarness.students, 0])
        }
    }

    @Test func `several processes that look at once deal with a day once`() async throws {
        let harness = try await ClassHarness()
        try await harness.working {
            _ = try await begin(harness)
            let before = try #require(try await harness.classes.store.taughtClass(harness.id)?.version)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { await dueDays(harness, in: 9).dealWithWhatIsOver() } }
            }
            #expect(try await missing(harness) == [ClassHarness.students, ClassHarness.students, 0])
            #expect(try await harness.classes.store.taughtClass(harness.id)?.version == before + 2)
        }
    }
}
