import Accounts
import Classes
import Forms
import Gradebook
import GradingKit
import Institutions
import People
import Records
import Shared
import Testing

@testable import Application

/// What feeds tell students of the results of their classes.
@Suite struct ClassFeedTests {
    private let harness: ClassHarness
    private let lines: [LineID]
    private let rows: [Enrolment]

    init() async throws {
        harness = try await ClassHarness()
        let store = harness.classes.store
        lines = try #require(try await store.taughtClass(harness.id)).structure.lines.map(\.id)
        rows = try #require(try await store.rows(of: harness.id, since: 0)).rows.map(\.enrolment)
    }

    private typealias Enrolment = Classes.Enrolment

    /// Enters results of a student in lines 1 to 3: assignments, midterm and final.
    private func enter(_ cells: [(line: Int, value: JSON)], of student: Int = 0, held: Bool? = nil) async throws {
        let changes = cells.map { cell in
            var change = CellChange(rows[student].id, lines[cell.line], value: cell.value)
            change.isHeldBack = held
            return change
        }
        _ = try await harness.classes.enter(harness.id, changes, .all, reason: nil, by: harness.teacher)
    }

    private func post(_ lines: Int..., hide: Bool = false) async throws {
        let posted = lines.map { self.lines[$0] }
        _ = try await harness.classes.post(harness.id, posted, hide: hide, by: harness.teacher)
    }

    private func settle(_ patch: ClassPatch) async throws {
        _ = try await harness.classes.settle(harness.id, patch, by: harness.teacher)
    }

    /// The lines of a student's feed that tell of results, as the types and the results: `Midterm: – → 80/100`.
    private func told(_ student: Int = 0) async throws -> [String] {
        try await harness.programs.projectFeeds()
        let page = try await harness.programs.feeds().page(after: nil, limit: 50, harness.attending[student])
        return page.lines.filter { !FeedTypes($0.types).isDisjoint(with: .results) }.map { line in
            let types = line.types.filter { FeedTypes.results.contains($0.alone) }.map(\.rawValue)
            return (types + line.results.map { Self.text($0) }).joined(separator: " | ")
        }
    }

    private func slice() async throws -> FeedSlice {
        let store: any PeopleStore = harness.programs.store
        return try await store.feedSlice(limit: 50)
    }

    private static func text(_ result: ChangedResult) -> String {
        func side(_ side: ChangedResult.Side?) -> String {
            [side?.value?.english, side?.status].compactMap(\.self).joined(separator: " ")
        }
        return "\(result.label.english): \(side(result.before)) → \(side(result.after)) of \(result.best ?? "–")"
    }

    @Test func `results are told with what stood there before, those of ten minutes in one line`() async throws {
        try await harness.working {
            try await enter([(1, 90), (2, 70)])
            try await enter([(2, 80)])
            #expect(
                try await told() == ["grade.entered | Assignments:  → 90 of 100 | Midterm:  → 80 of 100"])
            let line = try #require(
                try await harness.programs.feeds().page(after: nil, limit: 9, harness.attending[0]).lines.first {
                    $0.types.contains(.gradeEntered)
                })
            #expect(line.record?.id == rows[0].record)
            #expect(line.result == FeedLine.Result(title: "Logic", entry: rows[0].entry))
            #expect(line.author?.id == harness.teacher.account)
            #expect(try await told(1).isEmpty)
        }
    }

    @Test func `a result that moves no figure is told, and figures that move without results are told alone`()
        async throws
    {
        try await harness.working {
            try await enter([(1, 90)])
            #expect(try await told().count == 1)
            let weights = [(1, 20), (2, 40)].map { line, weight in
                StructureChange.patch(lines[line], LinePatch(fields: ["weight": .number(String(weight))]))
            }
            _ = try await harness.classes.change(harness.id, weights, reason: nil, by: harness.teacher)
            let slice = try await slice()
            #expect(slice.classes.isEmpty)
            #expect(slice.projected().events.allSatisfy { $0.types.isDisjoint(with: .results) })
        }
    }

    @Test func `hidden results are told once they are shown, and no more while they are hidden again`() async throws {
        try await harness.working {
            try await post(2, hide: true)
            try await enter([(2, 55)])
            try await enter([(2, 60)])
            #expect(try await told().isEmpty)
            try await post(2)
            #expect(try await told() == ["result.released | Midterm:  → 60 of 100"])
            #expect(try await told(1).isEmpty)
            try await post(2, hide: true)
            #expect(try await told().isEmpty)
        }
    }

    @Test func `a result that is held back is told once it is shown`() async throws {
        try await harness.working {
            try await enter([(3, 40)], held: true)
            #expect(try await told().isEmpty)
            try await enter([(3, 45)], held: false)
            #expect(try await told() == ["grade.entered | Final:  → 45 of 100"])
            try await enter([(3, 45)], held: true)
            #expect(try await told().isEmpty)
        }
    }

    @Test func `of a class that is a draft nothing is told until it opens`() async throws {
        try await harness.working {
            try await settle(ClassPatch(state: .draft))
            try await enter([(1, 90)])
            #expect(try await told().isEmpty)
            try await settle(ClassPatch(state: .open))
            #expect(try await told() == ["result.released | Assignments:  → 90 of 100"])
        }
    }

    /// Founds a class whose totals take statuses, with the harness's first student in it and a registrar who acts.
    private func algorithms() async throws -> (id: ClassID, row: Enrolment, dean: AccountContext) {
        let programs = harness.programs
        let dean = try await programs.caller("dean", as: "registrar")
        let institution = try await programs.current().institution
        let program = try await programs.institutions.programs.create(
            NewProgram.form.input(["scheme": "rose-hulman", "title": "Degree"]), in: institution, by: programs.act
        ).program.id
        _ = try await programs.institutions.programs.publish(program, as: Publication(), by: programs.act)
        let found = try await harness.classes.found(
            in: program, title: "Algorithms", root: "course",
            fields: ["title": "CSSE 230", "quarter": 1, "year": 2026, "credits": 4],
            lines: [
                .add(kind: "category", in: LineID("#0"), LinePatch(fields: ["category": "exams", "weight": 100])),
                .add(kind: "item", in: LineID("#1"), LinePatch(fields: ["title": "Final", "max": 100])),
            ], by: dean)
        let row = try await harness.classes.enrol(
            found.head.id, harness.attending[0].account, record: nil, by: dean
        ).value
        return (found.head.id, row, dean)
    }

    @Test func `a status of a total is told at once, though no line shows results`() async throws {
        try await harness.working {
            let (id, row, dean) = try await algorithms()
            func give(_ status: JSON) async throws {
                _ = try await harness.classes.override(
                    [RowOverride(row.id, status: status)], of: id, reason: "Listens only", by: dean)
            }
            let lines = try #require(try await harness.classes.store.taughtClass(id)).structure.lines.map(\.id)
            _ = try await harness.classes.post(id, lines, hide: true, by: dean)
            try await give("audit")
            #expect(try await told() == ["grade.entered | CSSE 230:  → audit of –"])
            #expect(try await told(1).isEmpty)
            let line = try #require(
                try await harness.programs.feeds().page(after: nil, limit: 9, harness.attending[0]).lines.first {
                    $0.types.contains(.gradeEntered)
                })
            #expect(line.result == FeedLine.Result(title: "Algorithms", entry: row.entry))
            let sentence = line.sentence(in: .english, withFigures: true)
            #expect(sentence.hasPrefix("Grades were entered: Algorithms (CSSE 230: audit"))
            try await give("withdrawn")
            #expect(try await told() == ["grade.entered | CSSE 230:  → withdrawn of –"])
            try await give(.null)
            #expect(try await told().isEmpty)
        }
    }

    @Test func `a status of a total that was given in a draft is told once the class opens`() async throws {
        try await harness.working {
            let (id, row, dean) = try await algorithms()
            _ = try await harness.classes.settle(id, ClassPatch(state: .draft), by: dean)
            _ = try await harness.classes.override(
                [RowOverride(row.id, status: "audit")], of: id, reason: "Listens only", by: dean)
            #expect(try await told().isEmpty)
            _ = try await harness.classes.settle(id, ClassPatch(state: .open), by: dean)
            #expect(try await told() == ["result.released | CSSE 230:  → audit of –"])
        }
    }

    @Test func `what was taken back is no news`() async throws {
        try await harness.working {
            try await enter([(1, 950)].map { ($0.0, JSON.number("95")) })
            let version = try #require(try await harness.classes.store.taughtClass(harness.id)).version
            _ = try await harness.classes.undo(harness.id, version, by: harness.teacher)
            #expect(try await told().isEmpty)
        }
    }

    @Test func `who left the class reads no postings of it, and who joins later none of before`() async throws {
        try await harness.working {
            try await post(1, hide: true)
            try await enter([(1, 90)])
            try await post(1)
            #expect(try await told().count == 1)
            let eve = try await harness.programs.caller("eve", as: "student")
            let tomorrow = CalendarDay(days: Int(eve.now.microseconds / 86_400_000_000) + 2)
            _ = try await harness.classes.enrol(
                harness.id, eve.account, record: nil, from: tomorrow, by: harness.teacher)
            let joined = try #require(try await harness.classes.store.enrolments(of: eve.account).first)
            _ = try await harness.classes.enter(
                harness.id, [CellChange(joined.id, lines[1], value: 50)], .all, reason: nil, by: harness.teacher)
            try await harness.programs.projectFeeds()
            let page = try await harness.programs.feeds().page(after: nil, limit: 50, eve)
            #expect(page.lines.filter { $0.types.contains(.resultReleased) }.isEmpty)
            #expect(
                page.lines.filter { $0.types.contains(.gradeEntered) }.map { $0.results.map(\.label.english) } == [
                    ["Assignments"]
                ])
            _ = try await harness.classes.withdraw(harness.id, rows[0].id, keepingEntry: true, by: harness.teacher)
            #expect(try await told().isEmpty)
        }
    }

    @Test func `a correction is told as one`() async throws {
        try await harness.working {
            let dean = try await harness.programs.caller("dean", as: "registrar")
            try await enter([(1, 90), (2, 90), (3, 90)])
            try await settle(ClassPatch(state: .closed))
            _ = try await told()
            let change = CellChange(rows[0].id, lines[3], value: 95)
            let asked = try await harness.classes.ask([change], of: harness.id, reason: "Page 4", by: harness.teacher)
                .value
            _ = try await harness.classes.approve(asked.id, of: harness.id, by: dean)
            let slice = try await slice()
            let student = harness.attending[0].account
            #expect(
                slice.classes.map(\.kind) == [
                    .correctionRequested(asked.id, by: harness.teacher.account), .corrected(student, rows[0].record),
                    .correctionDecided(asked.id, askedBy: harness.teacher.account, by: dean.account),
                ])
            let found = try #require(try await told().first)
            #expect(found.contains("result.corrected") && found.contains("Final:  → 95 of 100"))
        }
    }

    @Test func `registrars are told of corrections that wait, and who asked for one of the decision`() async throws {
        try await harness.working {
            let dean = try await harness.programs.caller("dean", as: "registrar")
            let eve = try await harness.programs.caller("eve", as: "registrar")
            let tom = try await harness.programs.caller("tom", as: "teacher")
            try await enter([(1, 90)])
            try await settle(ClassPatch(state: .closed))
            let change = CellChange(rows[0].id, lines[1], value: 95)
            func ask(by asker: AccountContext) async throws -> CorrectionID {
                // Later than those who read of it became registrars.
                let context = try Self.now(asker)
                return try await harness.classes.ask([change], of: harness.id, reason: "Page 4", by: context).value.id
            }
            let (first, second) = (try await ask(by: harness.teacher), try await ask(by: dean))
            func waiting(for context: AccountContext) async throws -> [CorrectionID] {
                try await harness.classes.waitingCorrections(before: nil, limit: 9, for: context).map(\.correction.id)
            }
            #expect(try await waiting(for: eve) == [second, first])
            #expect(try await waiting(for: dean) == [first])
            for other in [harness.teacher, tom, harness.attending[0]] { #expect(try await waiting(for: other).isEmpty) }
            _ = try await harness.classes.refuse(first, of: harness.id, by: eve)
            // Taking one back is no news for who does.
            _ = try await harness.classes.refuse(second, of: harness.id, by: dean)
            try await harness.programs.projectFeeds()
            func told(_ context: AccountContext) async throws -> [String] {
                let page = try await harness.programs.feeds().page(after: nil, limit: 50, context)
                return page.lines.filter { !FeedTypes($0.types).isDisjoint(with: .corrections) }.map { line in
                    "\(line.types[0].rawValue) \(line.correction?.id == first ? "first" : "second") "
                        + "\(line.correction?.state.rawValue ?? "–") \(line.author?.displayName ?? "–")"
                }
            }
            #expect(
                Set(try await told(eve)) == [
                    "correction.requested first refused tea", "correction.requested second refused dean",
                ])
            #expect(try await told(dean) == ["correction.requested first refused tea"])
            #expect(try await told(harness.teacher) == ["correction.decided first refused eve"])
            for other in [tom, harness.attending[0]] { #expect(try await told(other).isEmpty) }
        }
    }

    /// A caller's request of this moment.
    private static func now(_ caller: AccountContext) throws -> AccountContext {
        try AccountContext(
            RequestContext(
                principal: caller.principal, client: caller.client, language: .english, now: WallClock.system.now))
    }

    @Test func `the class of the latest act comes first in a line`() async throws {
        try await harness.working {
            let parts = ["Assignments", "Midterm", "Final"].map { name in
                StructureChange.add(
                    kind: "assessment", in: LineID("#0"),
                    LinePatch(fields: ["name": .string(name), "max": 100, "weight": name == "Final" ? 40 : 30]))
            }
            let sets = try await harness.classes.found(
                in: harness.programs.program, title: "Sets", root: "course", fields: ["title": "Sets", "credits": 3],
                lines: parts, by: harness.teacher)
            let student = harness.attending[0]
            let place = try await harness.classes.enrol(
                sets.head.id, student.account, record: rows[0].record, by: harness.teacher
            ).value
            func latest(_ id: ClassID, _ row: EnrolmentID, _ line: LineID, _ value: JSON) async throws -> String? {
                _ = try await harness.classes.enter(
                    id, [CellChange(row, line, value: value)], .all, reason: nil, by: Self.now(harness.teacher))
                try await harness.programs.projectFeeds()
                let page = try await harness.programs.feeds().page(after: nil, limit: 9, student)
                return page.lines.first { $0.types.contains(.gradeEntered) }?.results.first?.taught
            }
            let (logic, ofSets) = (lines[1], sets.structure.lines[1].id)
            #expect(try await latest(harness.id, rows[0].id, logic, 50) == "Logic")
            #expect(try await latest(sets.head.id, place.id, ofSets, 60) == "Sets")
            #expect(try await latest(harness.id, rows[0].id, logic, 70) == "Logic")
        }
    }

    @Test func `a class that hides results tells open feeds, though it makes no event`() async throws {
        try await harness.working {
            let news = FeedNews()
            try await enter([(1, 90)])
            try await harness.programs.projectFeeds(news)
            _ = news.take()
            let ada = harness.attending[0]
            _ = try await harness.programs.feeds(news).newest(ada)
            try await post(1, hide: true)
            try await harness.programs.projectFeeds(news)
            let changes = news.take()
            #expect(changes.contains(.taughtClass(harness.id)))
            #expect(news.readers(of: [.taughtClass(harness.id)]) == [ada.account])
        }
    }

    @Test func `a mail names the class and its lines, and shows results only where that was asked for`() async throws {
        try await harness.working {
            try await enter([(1, 90.5), (2, 70)].map { ($0.0, JSON.number("\($0.1)")) })
            try await harness.programs.projectFeeds()
            let page = try await harness.programs.feeds().page(after: nil, limit: 9, harness.attending[0])
            let line = try #require(page.lines.first { $0.types.contains(.gradeEntered) })
            #expect(
                line.sentence(in: .english, withFigures: false)
                    == "Grades were entered: Logic (Assignments, Midterm)")
            let french = line.sentence(in: .french, withFigures: true)
            #expect(french.hasPrefix("Des notes ont été saisies\u{A0}: Logic (Devoirs\u{A0}: 90.5 / 100"))
            #expect(french.contains("Partiel\u{A0}: 70 / 100"))
        }
    }
}
