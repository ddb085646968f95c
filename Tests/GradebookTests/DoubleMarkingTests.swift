import Classes
import Gradebook
import GradingKit
import Shared
import Testing

/// Two people mark the labs `l4` and `l5` of 10 each; marks of the first one agree within a point, and their mean counts.
@Suite struct DoubleMarkingTests {
    static let (eve, tom, zoe) = (AccountID("eve"), AccountID("tom"), AccountID("zoe"))
    private let course = GradebookTests()

    private func room(_ marking: DoubleMarking = DoubleMarking(tolerance: 1, .mean)) throws -> Classroom {
        var room = try course.course()
        try room.enrol("ada")
        var patch = LinePatch()
        patch.marking = .double(marking)
        try room.change(.patch(LineID("l4"), patch))
        try room.enter(course.cell("l3", 70), course.cell("l5", 8))
        return room
    }

    private func mark(_ value: JSON, was seen: CellChange.Seen? = nil) -> CellChange {
        var change = CellChange(GradebookTests.ada, LineID("l4"), seen: seen)
        change.mark = value
        return change
    }

    private func enter(_ change: CellChange, by account: AccountID, decides: Bool = false, in room: inout Classroom)
        throws
    {
        let ground = room.ground(.rows([change.enrolment]))
        let marker = Marker(account, decides: decides)
        room.carryOut(try room.gradebook.enter([change], .all, reason: nil, by: marker, in: ground).plan, by: account)
    }

    private func refusal(_ change: CellChange, by account: AccountID, decides: Bool = false, in room: Classroom)
        -> [String]
    {
        var room = room
        return course.faults { try enter(change, by: account, decides: decides, in: &room) }
    }

    private func result(_ room: Classroom) -> FieldValue? { room.enrolled[0].row[4].values["score"] }

    @Test func `one mark counts nothing, and two that agree come to their exact mean`() throws {
        var room = try room()
        let before = try room.display("grade", "ada")
        try enter(mark(7), by: Self.eve, in: &room)
        #expect(result(room) == nil)
        #expect(try room.display("grade", "ada") == before)
        try enter(mark("8.0"), by: Self.tom, in: &room)
        #expect(result(room) == .number(Exact(15, over: 2) ?? 0))
        #expect(try room.display("grade", "ada") != before)
        #expect(room.enrolled[0].row[4].marks.map(\.account) == [Self.eve, Self.tom])
        #expect(room.lines.suffix(2).map(\.account) == [Self.eve, Self.tom])
    }

    @Test func `a service account is neither of the two people, nor the third`() throws {
        var room = try room()
        func refusal(_ change: CellChange) -> [String] {
            let marker = Marker(AccountID("timetables"), decides: true, isPerson: false)
            let ground = room.ground(.rows([change.enrolment]))
            return course.faults {
                _ = try room.gradebook.enter([change], .all, reason: nil, by: marker, in: ground)
            }
        }
        #expect(refusal(mark(7)) == ["needs_two_marks /cells/0/mark"])
        try enter(mark(7), by: Self.eve, in: &room)
        try enter(mark(9), by: Self.tom, in: &room)
        #expect(refusal(course.cell("l4", 9)) == ["needs_two_marks /cells/0/value"])
        #expect(refusal(course.cell("l5", 9)) == [])
    }

    @Test func `the rule says what marks that agree come to`() throws {
        for (rule, expected) in [(DoubleMarking.Rule.lower, Exact(7)), (.higher, 8)] {
            var room = try room(DoubleMarking(tolerance: 1, rule))
            try enter(mark(8), by: Self.eve, in: &room)
            try enter(mark(7), by: Self.tom, in: &room)
            #expect(result(room) == .number(expected))
        }
    }

    @Test func `a tolerance is exact at its end, and a mean is rounded half up to the digits of a result`() throws {
        let marking = DoubleMarking(tolerance: Exact(1, over: 10) ?? 0, .mean)
        #expect(marking.result(of: Exact(71, over: 10) ?? 0, 7) == Exact(705, over: 100))
        #expect(marking.result(of: Exact(7_101, over: 1_000) ?? 0, 7) == nil)
        var room = try room(DoubleMarking(tolerance: Exact(1, over: 1_000) ?? 0, .mean))
        try enter(mark("7.0001"), by: Self.eve, in: &room)
        try enter(mark("7.0002"), by: Self.tom, in: &room)
        #expect(result(room) == .number(Exact(70_002, over: 10_000) ?? 0))
    }

    @Test func `marks that do not agree wait for a third person, or for one of the two`() throws {
        var room = try room()
        try enter(mark(4), by: Self.eve, in: &room)
        try enter(mark(7), by: Self.tom, in: &room)
        #expect(result(room) == nil)
        var other = room
        try enter(mark(6), by: Self.eve, in: &other)
        #expect(result(other) == .number(Exact(13, over: 2) ?? 0))
        let decision = CellChange(GradebookTests.ada, LineID("l4"), value: 5)
        #expect(refusal(decision, by: Self.eve, decides: true, in: room) == ["needs_two_marks /cells/0/value"])
        #expect(refusal(decision, by: Self.zoe, in: room) == ["needs_two_marks /cells/0/value"])
        try enter(decision, by: Self.zoe, decides: true, in: &room)
        #expect(result(room) == .number(5))
        #expect(room.enrolled[0].row[4].marks.count == 2)
        try enter(CellChange(GradebookTests.ada, LineID("l4"), value: .null), by: Self.zoe, decides: true, in: &room)
        #expect(result(room) == nil)
        try room.undo(room.snapshot.version)
        #expect(result(room) == .number(5))
        try enter(mark(8), by: Self.tom, in: &room)
        #expect(result(room) == nil)
    }

    @Test func `nobody decides before two have marked, and a third one does not mark`() throws {
        var room = try room()
        let decision = CellChange(GradebookTests.ada, LineID("l4"), value: 5)
        #expect(refusal(decision, by: Self.zoe, decides: true, in: room) == ["needs_two_marks /cells/0/value"])
        try enter(mark(7), by: Self.eve, in: &room)
        #expect(refusal(decision, by: Self.zoe, decides: true, in: room) == ["needs_two_marks /cells/0/value"])
        try enter(mark(7), by: Self.tom, in: &room)
        #expect(refusal(mark(7), by: Self.zoe, decides: true, in: room) == ["marked_twice /cells/0/mark"])
        try enter(mark(.null), by: Self.eve, in: &room)
        #expect(result(room) == nil)
        try enter(mark(6), by: Self.zoe, in: &room)
        #expect(result(room) == .number(Exact(13, over: 2) ?? 0))
    }

    @Test func `a mark has to be one that could be the result`() throws {
        let room = try room()
        #expect(refusal(mark(-1), by: Self.eve, in: room) == ["grade_out_of_range /cells/0/mark"])
        #expect(refusal(mark("seven"), by: Self.eve, in: room).map { $0.hasSuffix("/cells/0/mark") } == [true])
        var single = CellChange(GradebookTests.ada, LineID("l5"))
        single.mark = 7
        #expect(refusal(single, by: Self.eve, in: room) == ["unknown_field /cells/0/mark"])
        var both = mark(7)
        both.value = 7
        #expect(refusal(both, by: Self.eve, in: room) == ["unknown_field /cells/0/value"])
    }

    @Test func `two people mark numbers alone`() throws {
        let text = try #require(
            try? JSON.parse(Array(#"{"mode":"double","tolerance":"-1","rule":"best","open":1,"x":1}"#.utf8)))
        let found = course.faults { _ = try LineMarking(text, at: "") }
        #expect(
            found.sorted() == ["out_of_range /rule", "out_of_range /tolerance", "unknown_field /x", "wrong_type /open"])
        #expect(course.faults { _ = try LineMarking("triple", at: "/m") } == ["out_of_range /m"])
        for marking in [
            LineMarking.single, .double(DoubleMarking(tolerance: Exact(1, over: 2) ?? 0, .higher, isOpen: true)),
        ] {
            #expect(try LineMarking(marking.json, at: "") == marking)
        }
    }

    @Test func `an undo takes a mark back, and work with a mark is not missing`() throws {
        var room = try room()
        try enter(mark(7), by: Self.eve, in: &room)
        let first = room.snapshot.version
        try enter(mark(7), by: Self.tom, in: &room)
        try room.undo(room.snapshot.version)
        #expect(room.enrolled[0].row[4].marks.map(\.account) == [Self.eve])
        #expect(result(room) == nil)
        var patch = LinePatch()
        patch.due = CalendarDay(days: 20_100)
        try room.change(.patch(LineID("l4"), patch))
        let marked = try room.gradebook.markMissing(dueOn: CalendarDay(days: 20_100), in: room.ground())
        #expect(marked.value.accepted == 0)
        #expect(try room.undo(first).accepted == 1)
        #expect(room.enrolled[0].row[4].isEmpty)
    }

    @Test func `who has not marked yet sees that a mark is there, and not which`() throws {
        let blind = LineMarking.double(DoubleMarking(tolerance: 0, .mean))
        let open = LineMarking.double(DoubleMarking(tolerance: 0, .mean, isOpen: true))
        var cell = ClassCell(marks: [CellMark(.number(7), by: Self.eve)])
        let hidden: JSON = ["marks": [["by": "eve"]]]
        for reader in [Self.tom, nil] {
            #expect(cell.json(seenBy: reader, in: blind) == hidden)
            #expect(cell.json(seenBy: reader, in: .single) == hidden)
            #expect(cell.json(seenBy: reader, in: nil) == hidden)
            #expect(cell.json(seenBy: reader, in: open) == cell.json)
        }
        #expect(cell.json(seenBy: Self.eve, in: blind) == cell.json)
        cell.marks.append(CellMark(.number(8), by: Self.tom))
        #expect(cell.json(seenBy: Self.zoe, in: blind) == cell.json)
        #expect(ClassCell(cell.json) == cell)
    }
}
