import Classes
import Gradebook
import GradingKit
import Shared
import Testing

extension GradebookTests {
    /// A comment on a line of a row, as the teacher asks for it.
    private func remark(
        _ line: String, of row: EnrolmentID = ada, for audience: CellComment.Audience = .student,
        _ text: String = "Good",
        id: String = "c"
    ) -> CommentRequest {
        CommentRequest(
            id: CommentID(id), on: row, LineID(line), by: Classroom.teacher, at: Classroom.moment, for: audience, text)
    }

    private func ground(_ room: Classroom, _ line: Int = 4) -> ActGround { room.ground(.cell(Self.ada, line: line)) }

    /// Whether the student sees a comment as soon as it is written.
    private func isSeen(_ request: CommentRequest, in room: Classroom) throws -> Bool? {
        let plan = try room.gradebook.comment(request, in: ground(room)).plan
        if case .written(_, let isSeen)? = plan.comment { return isSeen }
        return nil
    }

    private func commented() throws -> Classroom {
        var room = try course()
        try room.enrol("ada")
        return room
    }

    @Test func `a comment changes the row without changing what it holds or the record`() throws {
        var room = try commented()
        try room.enter(cell("l3", 70), cell("l4", 7))
        let before = room.enrolled[0]
        let (plan, comment) = try room.gradebook.comment(remark("l4"), in: ground(room))
        room.carryOut(plan)
        #expect(room.comments == [comment])
        #expect(room.enrolled[0].row == before.row)
        #expect(room.enrolled[0].version > before.version)
        #expect(plan.amendments.isEmpty)
        let line = try #require(room.lines.last)
        #expect(line.operation == "comment")
        #expect(!String(decoding: line.after ?? [], as: UTF8.self).contains("Good"))
    }

    @Test func `a comment is part of posting`() throws {
        var room = try commented()
        #expect(try isSeen(remark("l4"), in: room) == true)
        #expect(try isSeen(remark("l4", for: .staff), in: room) == false)
        var held = cell("l4", 7)
        held.isHeldBack = true
        try room.enter(held)
        #expect(try isSeen(remark("l4"), in: room) == false)
        var patch = LinePatch()
        patch.state = .draft
        try room.change(.patch(LineID("l5"), patch))
        let seen = try room.gradebook.comment(remark("l5"), in: ground(room, 5)).plan.comment
        guard case .written(_, false)? = seen else {
            Issue.record("a draft shows a comment")
            return
        }
    }

    @Test func `what takes no result takes no comment`() throws {
        var room = try commented()
        let written: (CommentRequest, [LineID]?) -> [String] = { request, lines in
            faults { _ = try room.gradebook.comment(request, within: GraderScope(lines: lines), in: ground(room)) }
        }
        #expect(written(remark("l9"), nil) == ["line_unknown /line"])
        #expect(written(remark("l1"), nil) == ["not_a_cell /line"])
        #expect(written(remark("l4"), [LineID("l3")]) == ["line_not_assigned /line"])
        #expect(written(remark("l4"), [LineID("l2")]) == [])
        #expect(written(remark("l4", " \n"), nil) == ["missing_field /text"])
        #expect(written(remark("l4", of: EnrolmentID("e-bob")), nil) == ["enrolment_unknown /row"])
        try room.withdraw("ada", keepingEntry: true)
        #expect(faults { _ = try room.gradebook.comment(remark("l4"), in: ground(room)) } == ["enrolment_ended /row"])
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .closed), in: room.ground(.rows([]))).plan)
        #expect(faults { _ = try room.gradebook.comment(remark("l4"), in: ground(room)) } == ["class_closed "])
    }

    @Test func `a cell has at most fifty comments, and takes another one when one is deleted`() throws {
        var room = try commented()
        for number in 1...ClassLimits.comments {
            room.carryOut(try room.gradebook.comment(remark("l4", id: "c\(number)"), in: ground(room)).plan)
        }
        #expect(faults { _ = try room.gradebook.comment(remark("l4"), in: ground(room)) } == ["comment_limit "])
        #expect(try room.gradebook.comment(remark("l5"), in: ground(room, 5)).plan.comment != nil)
        room.carryOut(try room.gradebook.deleteComment(CommentID("c7"), in: ground(room)).plan)
        #expect(room.comments.count == ClassLimits.comments - 1)
        #expect(throws: StoreError.notFound) {
            try room.gradebook.deleteComment(CommentID("c7"), in: ground(room))
        }
        room.carryOut(try room.gradebook.comment(remark("l4"), in: ground(room)).plan)
        #expect(faults { _ = try room.undo(room.snapshot.version) } == ["nothing_to_undo "])
    }
}
