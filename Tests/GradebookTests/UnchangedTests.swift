import Classes
import Gradebook
import GradingKit
import Shared
import Testing

/// Acts that change nothing, and results of which nobody knows which one is meant.
extension GradebookTests {
    private static func patch(_ line: String, _ fields: JSONObject) -> StructureChange {
        .patch(LineID(line), LinePatch(fields: fields))
    }

    @Test(arguments: [
        [], [patch("l1", ["weight": 60])], [patch("l3", ["max": 100])], [patch("l3", ["max": "100.0"])],
        [patch("l3", ["max": .number("1e2")]), patch("l3", ["title": "Final"])], [.policy(WorkPolicy())],
        [.move(LineID("l2"), before: nil)], [patch("l3", ["score": nil])],
    ])
    func `a change that says what the structure says already is no act`(changes: [StructureChange]) throws {
        let room = try course()
        let decision = try room.gradebook.change(changes, reason: nil, newID: { LineID("new") }, in: room.ground())
        #expect(decision.plan.isEmpty && decision.value.structure == room.snapshot.structure)
    }

    @Test func `a line that is patched with what it says already keeps the results that were seen there`() throws {
        var room = try course()
        try room.enrol("ada")
        let seen = room.snapshot.structure.number
        try room.change(Self.patch("l3", ["max": .number("100.00")]), Self.patch("l4", ["max": 20]))
        try room.enter(cell("l3", 80, structure: seen))
        #expect(faults { try room.enter(cell("l4", 8, structure: seen)) } == ["line_changed /cells/0"])
    }

    @Test func `results that are shown are not shown again, and hidden ones not hidden`() throws {
        var room = try course()
        func post(_ lines: [String], hide: Bool = false) throws -> ActPlan {
            try room.gradebook.post(lines.map { LineID($0) }, hide: hide, in: room.ground()).plan
        }
        #expect(try post(["l3"]).isEmpty)
        room.carryOut(try post(["l3"], hide: true))
        #expect(try post(["l3"], hide: true).isEmpty)
        let plan = try post(["l3", "l4"])
        #expect(!plan.isEmpty)
        room.carryOut(plan)
        #expect(try post(["l3", "l4"]).isEmpty)
        #expect(faults { _ = try post(["gone"]) } == ["line_unknown /changes/0"])
    }

    @Test func `a closed class refuses what would change nothing, too`() throws {
        var room = try course()
        var head = room.snapshot.head
        head.state = .closed
        room.snapshot = room.snapshot.changed(head, staff: room.snapshot.staff, at: room.snapshot.version)
        #expect(faults { try room.change() } == ["class_closed "])
    }

    @Test func `of two results for one place none is entered, unless the second one follows the first`() throws {
        var room = try course()
        try room.enrol("ada")
        #expect(
            faults { try room.enter(cell("l3", 80), cell("l4", 8), cell("l3", 90)) }
                == ["cell_twice /cells/0", "cell_twice /cells/2"])
        let answer = try room.enter(cell("l3", 80), cell("l4", 8), cell("l3", 90), mode: .each)
        #expect(answer.accepted == 1 && answer.faults.map(\.path) == ["/cells/0", "/cells/2"])
        #expect(room.enrolled[0].row[3].values["score"] == nil)
        var late = CellChange(Self.ada, LineID("l3"))
        late.late = 60
        try room.enter(cell("l3", 70), late)
        #expect(room.enrolled[0].row[3].values["score"] == .number(70) && room.enrolled[0].row[3].late == 60)
        try room.enter(cell("l3", nil))
        let first = cell("l3", 80, seen: CellChange.Seen(value: .null))
        let second = cell("l3", 90, seen: CellChange.Seen(value: 80))
        try room.enter(first, second)
        #expect(room.enrolled[0].row[3].values["score"] == .number(90))
    }
}
