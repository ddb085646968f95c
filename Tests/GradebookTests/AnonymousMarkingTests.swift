import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// The final `l3` of a course is marked anonymously.
@Suite struct AnonymousMarkingTests {
    private let course = GradebookTests()
    private static let line = LineID("l3")

    private func room(_ students: String...) throws -> Classroom {
        var room = try course.course()
        for student in students { try room.enrol(student) }
        var patch = LinePatch()
        patch.marking = .anonymous
        try room.change(.patch(Self.line, patch))
        return room
    }

    private func codes(_ room: Classroom) -> [String] {
        AnonymousCodes(secret: Array("secret".utf8), line: Self.line, students: room.enrolled.count).list
    }

    private func change(_ code: String, _ value: JSON, was: JSON? = nil) -> SealedCellChange {
        SealedCellChange(
            code, CellChange(EnrolmentID(""), Self.line, value: value, seen: was.map { CellChange.Seen(value: $0) }))
    }

    @discardableResult
    private func enter(
        _ changes: SealedCellChange..., mode: CellMode = .all, within scope: GraderScope = .everything,
        in room: inout Classroom
    ) throws -> CellsAnswer {
        let ground = room.ground(.sealed(line: 3, codes: changes.map(\.code)))
        let (plan, answer) = try room.gradebook.enterSealed(changes, in: Self.line, mode, within: scope, in: ground)
        room.carryOut(plan)
        return answer
    }

    private func reveal(_ room: inout Classroom) throws {
        room.carryOut(try room.gradebook.reveal(Self.line, in: room.ground(.unsealing(line: 3))).plan)
    }

    @Test func `of two results for one code none is entered, unless the second one follows the first`() throws {
        var room = try room("ada", "bob")
        let (one, other) = (codes(room)[0], codes(room)[1])
        #expect(
            course.faults { try enter(change(one, 80), change(other, 70), change(one, 90), in: &room) }
                == ["cell_twice /cells/0", "cell_twice /cells/2"])
        try enter(change(one, 80), change(one, 90, was: 80), in: &room)
        #expect(room.sealed[3]?[one]?.values["score"] == .number(90))
    }

    @Test func `codes are many, distinct, and the same however many students come later`() {
        let secret = Array(repeating: UInt8(7), count: AnonymousCodes.secretLength)
        let few = AnonymousCodes(secret: secret, line: Self.line, students: 3).list
        let many = AnonymousCodes(secret: secret, line: Self.line, students: 1_999).list
        #expect(few.count == 20)
        #expect(AnonymousCodes(secret: secret, line: Self.line, students: 0).list == few)
        #expect(AnonymousCodes(secret: secret, line: Self.line, students: 10).list == few)
        #expect(many.count == 2_020)
        #expect(Array(many.prefix(20)) == few)
        #expect(Set(many).count == 2_020)
        // A code is in the list before its student joins.
        for students in 0...60 {
            #expect(AnonymousCodes(secret: secret, line: Self.line, students: students).list.count >= students + 10)
        }
        #expect(many.allSatisfy { $0.utf8.count == 11 })
        #expect(AnonymousCodes(secret: secret, line: LineID("l4"), students: 3).list != few)
        #expect(AnonymousCodes(secret: [1], line: Self.line, students: 3).list != few)
    }

    @Test func `a result under a code changes no row and no record, and nothing says whose it is`() throws {
        var room = try room("ada", "bob")
        try room.enter(course.cell("l4", 7), course.cell("l5", 8))
        let (rows, records) = (room.enrolled, room.records.mapValues(\.fullVersion))
        let code = codes(room)[1]
        try enter(change(code, 80), in: &room)
        #expect(room.enrolled == rows)
        #expect(room.records.mapValues(\.fullVersion) == records)
        let line = try #require(room.lines.last)
        #expect(line.enrolment == nil)
        let text = String(decoding: (line.before ?? []) + (line.after ?? []), as: UTF8.self)
        #expect(text.contains(code))
        #expect(!text.contains("bob"))
        #expect(course.faults { _ = try room.undo(room.snapshot.version) } == ["nothing_to_undo "])
    }

    @Test func `revealed results are in the rows of their students, in one act that is not undone`() throws {
        var room = try room("ada", "bob", "eve")
        for name in ["ada", "bob"] {
            try room.enter(
                course.cell("l4", 7, EnrolmentID("e-\(name)")), course.cell("l5", 8, EnrolmentID("e-\(name)")))
        }
        let list = codes(room)
        try enter(change(list[1], 80), change(list[0], 60), change(list[7], 10), in: &room)
        try room.enrol("tom")
        let version = room.snapshot.version
        try reveal(&room)
        #expect(room.snapshot.version == version + 1)
        #expect(room.enrolled.map { $0.row[3].values["score"] } == [.number(60), .number(80), nil, nil])
        #expect(try room.display("grade", "bob") == "78.00")
        #expect(room.sealed[3] == nil)
        #expect(room.snapshot.structure.line(Self.line)?.marking == .single)
        #expect(room.lines.suffix(3).map(\.operation) == ["reveal", "reveal", "reveal"])
        #expect(course.faults { _ = try room.undo(room.snapshot.version) } == ["nothing_to_undo "])
        #expect(course.faults { try reveal(&room) } == ["not_anonymous /line"])
        var patch = LinePatch()
        patch.marking = .anonymous
        #expect(course.faults { try room.change(.patch(Self.line, patch)) } == ["line_has_results /lines/l3/marking"])
    }

    @Test func `while it is anonymous the line takes nothing by the names of students`() throws {
        var room = try room("ada")
        #expect(course.faults { try room.enter(course.cell("l3", 70)) } == ["anonymous_line /cells/0/line"])
        let answer = try room.enter(course.cell("l3", 70), course.cell("l4", 7), mode: .each)
        #expect(answer.accepted == 1)
        let remark = CommentRequest(
            id: CommentID("c"), on: GradebookTests.ada, Self.line, by: Classroom.teacher, at: Classroom.moment,
            for: .staff,
            "x")
        #expect(
            course.faults {
                _ = try room.gradebook.comment(remark, in: room.ground(.cell(GradebookTests.ada, line: 3)))
            }
                == ["anonymous_line /line"])
        var patch = LinePatch()
        patch.due = CalendarDay(days: 20_100)
        try room.change(.patch(Self.line, patch))
        #expect(try room.gradebook.markMissing(dueOn: CalendarDay(days: 20_100), in: room.ground()).value.accepted == 0)
        let closing = ClassPatch(state: .closed)
        #expect(
            course.faults { _ = try room.gradebook.settle(closing, in: room.ground(.rows([]))) } == [
                "anonymous_line /state"
            ])
    }

    @Test func `no change of the structure reveals anything`() throws {
        var room = try room("ada")
        let made = room.snapshot.version
        try enter(change(codes(room)[0], 80), in: &room)
        for marking in [LineMarking.single, .double(DoubleMarking(tolerance: 0, .mean))] {
            var patch = LinePatch()
            patch.marking = marking
            #expect(course.faults { try room.change(.patch(Self.line, patch)) } == ["anonymous_line /lines/l3/marking"])
            #expect(
                course.faults {
                    _ = try room.gradebook.rehearse([.patch(Self.line, patch)], newID: { Self.line }, in: room.ground())
                } == ["anonymous_line /lines/l3/marking"])
        }
        #expect(course.faults { _ = try room.undo(made) } == ["anonymous_line /lines/l3/marking"])
        try room.change(.delete(Self.line))
        #expect(room.sealed[3]?.count == 1)
        try room.undo(room.snapshot.version)
        #expect(room.snapshot.structure.line(Self.line)?.marking == .anonymous)
        try reveal(&room)
        #expect(room.enrolled[0].row[3].values["score"] == .number(80))
    }

    @Test func `what is wrong with work under a code is said at its place`() throws {
        var room = try room("ada")
        let code = codes(room)[0]
        #expect(course.faults { try enter(change("XXXXX-XXXXX", 1), in: &room) } == ["code_unknown /cells/0/code"])
        #expect(course.faults { try enter(change(code, -1), in: &room) } == ["grade_out_of_range /cells/0/value"])
        #expect(
            course.faults { try enter(change(code, 1), within: GraderScope(lines: [LineID("l2")]), in: &room) } == [
                "line_not_assigned /line"
            ])
        try enter(change(code, 60), in: &room)
        do {
            try enter(change(code, 70, was: .null), in: &room)
            Issue.record("another marker's result was lost")
        } catch let faults as FaultList {
            #expect(faults.faults.first?.code == .cellConflict)
            #expect(faults.faults.first?.arguments["code"]?.string == code)
            #expect(faults.faults.first?.arguments["row"] == nil)
        }
        let answer = try enter(change(code, 70, was: 60), change(codes(room)[1], "x"), mode: .each, in: &room)
        #expect(answer.accepted == 1)
        #expect(answer.faults.count == 1)
        try enter(change(code, .null), in: &room)
        #expect(room.sealed[3]?.isEmpty == true)
    }
}
