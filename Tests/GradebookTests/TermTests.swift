import Classes
import Gradebook
import GradingKit
import Shared
import Testing

/// What a locked period keeps as it is.
extension GradebookTests {
    private func term(_ id: String, _ kind: Term.Kind, in parent: String?, _ days: ClosedRange<Int>, _ isLocked: Bool)
        -> Term
    {
        Term(
            id: TermID(id), institution: InstitutionID("i"), kind: kind, parent: parent.map { TermID($0) }, title: id,
            first: CalendarDay(days: days.lowerBound), last: CalendarDay(days: days.upperBound), isLocked: isLocked)
    }

    private func calendar(lockedFirst: Bool = false, lockedYear: Bool = false) throws -> ClassCalendar {
        let terms = [
            term("year", .year, in: nil, 0...400, lockedYear), term("autumn", .term, in: "year", 0...200, false),
            term("first", .period, in: "autumn", 0...100, lockedFirst),
            term("second", .period, in: "autumn", 101...200, false), term("other", .term, in: nil, 0...200, true),
        ]
        return try #require(ClassCalendar(of: TermID("autumn"), among: terms))
    }

    /// `l4` is due in the first period, `l3` in the second.
    private func room(_ calendar: ClassCalendar) throws -> Classroom {
        var room = try course()
        try room.enrol("ada")
        for (line, day) in [("l4", 50), ("l3", 150)] {
            var patch = LinePatch()
            patch.due = .some(CalendarDay(days: day))
            try room.change(.patch(LineID(line), patch))
        }
        try room.enter(cell("l4", 7), cell("l3", 50))
        room.snapshot = room.snapshot.moved(to: calendar)
        return room
    }

    @Test func `a line falls into the period of its due date`() throws {
        let (calendar, structure) = (try calendar(), try room(calendar()).snapshot.structure)
        let periods = ["l4", "l3", "l2"].map { id in
            structure.line(LineID(id)).flatMap { calendar.period(of: $0)?.title }
        }
        #expect(periods == ["first", "second", nil])
    }

    @Test func `results of a locked period stay as they are, and others do not`() throws {
        let room = try room(calendar(lockedFirst: true))
        let enter = { (line: String, value: JSON) in
            faults {
                _ = try room.gradebook.enter(
                    [cell(line, value)], .all, reason: nil, in: room.ground(.rows([Self.ada])))
            }
        }
        #expect(enter("l4", 8) == ["line_locked /cells/0/line"])
        #expect(enter("l3", 60) == [])
    }

    @Test func `a line outside all periods is locked with the term`() throws {
        var room = try course()
        try room.enrol("ada")
        room.snapshot = room.snapshot.moved(to: try calendar(lockedYear: true))
        let entering = faults {
            _ = try room.gradebook.enter([cell("l4", 8)], .all, reason: nil, in: room.ground(.rows([Self.ada])))
        }
        #expect(entering == ["line_locked /cells/0/line"])
    }

    @Test func `a locked line takes no results under codes, and keeps its students unknown`() throws {
        var room = try room(calendar())
        try room.enter(cell("l4", .null))
        var patch = LinePatch()
        patch.marking = .anonymous
        try room.change(.patch(LineID("l4"), patch))
        room.snapshot = room.snapshot.moved(to: try calendar(lockedFirst: true))
        let entering = faults {
            _ = try room.gradebook.enterSealed(
                [], in: LineID("l4"), .all, in: room.ground(.sealed(line: 4, codes: [])))
        }
        #expect(entering == ["line_locked /line"])
        let revealing = faults { _ = try room.gradebook.reveal(LineID("l4"), in: room.ground(.unsealing(line: 4))) }
        #expect(revealing == ["line_locked /line"])
    }

    @Test func `a locked line is neither changed nor moved out of its period, but shown and hidden`() throws {
        let room = try room(calendar(lockedFirst: true))
        let change = { (line: String, edit: (inout LinePatch) -> Void) in
            faults {
                var patch = LinePatch()
                edit(&patch)
                _ = try room.gradebook.change(
                    [.patch(LineID(line), patch)], reason: nil, newID: { LineID("new") }, in: room.ground())
            }
        }
        #expect(change("l4") { $0.fields = ["max": 20] } == ["line_locked /changes"])
        #expect(change("l4") { $0.due = .some(nil) } == ["line_locked /changes"])
        #expect(change("l3") { $0.due = .some(CalendarDay(days: 50)) } == ["line_locked /changes"])
        #expect(change("l3") { $0.fields = ["title": "Exam"] } == [])
        #expect(change("l4") { $0.state = .posted } == [])
        #expect(
            faults {
                _ = try room.gradebook.change(
                    [.delete(LineID("l4"))], reason: nil, newID: { LineID("new") }, in: room.ground())
            } == ["line_locked /changes"])
    }

    @Test func `a locked year locks every line of its classes, and no class leaves it`() throws {
        let room = try room(calendar(lockedYear: true))
        let entering = faults {
            _ = try room.gradebook.enter([cell("l3", 60)], .all, reason: nil, in: room.ground(.rows([Self.ada])))
        }
        #expect(entering == ["line_locked /cells/0/line"])
        let leaving = faults {
            _ = try room.gradebook.settle(ClassPatch(term: .some(TermID("other"))), in: room.ground(.rows([])))
        }
        #expect(leaving == ["line_locked /term"])
    }

    @Test func `an undo leaves locked results and names them`() throws {
        var room = try room(calendar())
        let version = room.snapshot.version
        room.snapshot = room.snapshot.moved(to: try calendar(lockedFirst: true))
        let (plan, answer) = try room.gradebook.undo(version, by: Classroom.teacher, in: room.ground(.act(version)))
        #expect(answer.faults.map { "\($0.code)" } == ["line_locked"])
        #expect(plan.rows.first?.row.cells.keys.sorted() == [4])
    }
}
