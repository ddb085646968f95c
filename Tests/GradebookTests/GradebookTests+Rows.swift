import Classes
@testable import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// Rows that come back, that cannot be judged, and that lack a part of the structure.
extension GradebookTests {
    @Test func `an item without a maximum is refused, and drops no course from the GPA in silence`() throws {
        var room = try course()
        try room.enrol("ada")
        #expect(
            faults { try room.change(.patch(LineID("l3"), LinePatch(fields: ["max": .null]))) }
                == ["missing_field /lines/l3/fields/max"])
        #expect(
            faults { try room.change(.add(kind: "item", in: LineID("l2"), LinePatch(fields: ["title": "Lab 3"]))) }
                == ["missing_field /lines/l6/fields/max"])
        // With its results as grades an item needs no maximum.
        var graded = LinePatch(fields: ["title": "Essay"])
        graded.gradeField = "grade"
        try room.change(.add(kind: "item", in: LineID("l2"), graded))
        try room.enter(cell("l6", 70))
        #expect(try room.display("grade", "ada") == "70.00")
    }

    @Test func `who left comes back to the row with its cells`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 7))
        try room.withdraw("ada", keepingEntry: false)
        #expect(room.records[RecordID("r-ada")]?.holdsLinks == false)
        try room.change(.patch(LineID("l4"), LinePatch(fields: ["max": 14])))
        try room.enrol("ada")
        #expect(room.enrolled.count == 1)
        #expect(room.enrolled[0].enrolment.isWithdrawn == false)
        // Judged by the structure of today.
        #expect(try room.display("grade", "ada") == "50.00")
        try room.enter(cell("l4", 14, seen: CellChange.Seen(value: 7)))
        #expect(try room.display("grade", "ada") == "100.00")
        #expect(faults { try room.enrol("ada") } == ["enrolled_already /student"])
    }

    @Test func `who joined or left by mistake is out again, or in, by an undo, and by the undo of that`() throws {
        var room = try course()
        try room.enrol("ada")
        let joined = room.snapshot.version
        try room.enter(cell("l4", 7))
        try room.withdraw("ada", keepingEntry: false)
        try room.undo(room.snapshot.version)
        #expect(room.enrolled[0].enrolment.isWithdrawn == false)
        #expect(try room.display("grade", "ada") == "70.00")
        try room.undo(joined)
        #expect(room.enrolled[0].enrolment.isWithdrawn)
        #expect(faults { try room.undo(joined) } == ["nothing_to_undo "])
        try room.undo(room.snapshot.version)
        #expect(room.enrolled[0].enrolment.isWithdrawn == false)
    }

    /// The class with bob's record under version 2 of the program, whose rules are not to be had.
    private func broken() throws -> Classroom {
        var room = try course()
        try room.enrol("ada")
        try room.enrol("bob")
        let record = try #require(room.records[RecordID("r-bob")])
        room.records[record.head.id] = RecordSnapshot(
            head: RecordHead(
                id: record.head.id, institution: record.head.institution, program: record.head.program,
                programVersion: 2, student: record.head.student, createdAt: record.head.createdAt), epoch: record.epoch,
            fullVersion: record.fullVersion,
            releasedVersion: record.releasedVersion, full: record.full, released: record.released)
        return room
    }

    @Test func `one version that judges nothing stops no other row, and its row is named`() throws {
        var room = try broken()
        room.unusable = [2]
        let bob = EnrolmentID("e-bob")
        let answer = try room.enter(cell("l4", 7), cell("l4", 8, bob), cell("l5", 9), mode: .each)
        #expect(answer.accepted == 2)
        #expect(answer.faults.map { "\($0.code) \($0.path)" } == ["rules_unusable /cells/1/row"])
        #expect(faults { try room.enter(cell("l4", 1), cell("l4", 8, bob)) } == ["rules_unusable /cells/1/row"])
        // The structure could not judge it before either.
        let change = StructureChange.patch(LineID("l1"), LinePatch(fields: ["weight": 50]))
        let decision = try room.gradebook.change([change], reason: nil, newID: { LineID("") }, in: room.ground())
        #expect(decision.value.faults.map { "\($0.code) \($0.path)" } == ["rules_unusable /rows/e-bob"])
        room.carryOut(decision.plan)
        #expect(try room.display("grade", "ada") == "80.00")
        // A version that has been published meanwhile is no such version: the caller tries again.
        room.unusable = []
        #expect(throws: StoreError.moved) { try room.enter(cell("l4", 8, bob)) }
    }

    @Test func `one record that cannot be read stops no other row`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enrol("bob")
        let record = try #require(room.records[RecordID("r-bob")])
        let damaged = RecordContent(tree: Array("{".utf8), standing: record.full.standing)
        room.records[record.head.id] = RecordSnapshot(
            head: record.head, epoch: record.epoch, fullVersion: record.fullVersion,
            releasedVersion: record.releasedVersion, full: damaged, released: nil)
        let answer = try room.enter(cell("l4", 7), cell("l4", 8, EnrolmentID("e-bob")), mode: .each)
        #expect(answer.accepted == 1)
        #expect(answer.faults.map { "\($0.code) \($0.path)" } == ["record_unreadable /cells/1/row"])
        try room.change(.patch(LineID("l4"), LinePatch(fields: ["max": 20])))
        #expect(try room.display("grade", "ada") == "35.00")
    }

    @Test func `rows that stay as they were are judged once, however often an act is decided`() throws {
        var room = try course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        let gradebook = room.gradebook
        let change = StructureChange.patch(LineID("l1"), LinePatch(fields: ["weight": 50]))
        let first = try gradebook.change([change], reason: nil, newID: { LineID("") }, in: room.ground())
        let judged = gradebook.judgements.made
        #expect(judged == 2)
        let again = try gradebook.change([change], reason: nil, newID: { LineID("") }, in: room.ground())
        #expect(gradebook.judgements.made == judged)
        #expect(first.plan.amendments.count == again.plan.amendments.count)
        let row = room.enrolled[0]
        room.enrolled[0] = EnrolledRow(row.enrolment, row.row, version: row.version + 1)
        _ = try gradebook.change([change], reason: nil, newID: { LineID("") }, in: room.ground())
        #expect(gradebook.judgements.made == judged + 1)
    }
}
