import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// What the history of a record tells of the acts of its class, to staff and to the student.
extension GradebookTests {
    /// What the last acts did to Ada's results, as a view shows it: `l3: 70→80`, `+l4` for a line that was shown, `-l4` for one
    /// that was hidden.
    private func told(_ room: Classroom, _ view: RecordView, last count: Int = 1) throws -> [String] {
        let row = try #require(room.enrolled.first { $0.enrolment.id == Self.ada })
        func text(_ cell: ClassCell) -> String {
            let value = cell.values.sorted { $0.key < $1.key }.map { $0.value.json.text }.joined(separator: "+")
            return [value, cell.statusWord ?? "", cell.late.map { "late \($0)" } ?? ""].filter { !$0.isEmpty }
                .joined(separator: " ")
        }
        return room.lines.suffix(count).flatMap { line -> [String] in
            let results = ResultChanges(ClassActDetail(line, in: room.snapshot, row: row), view: view)
            return results.cells.map { "\($0.line?.id.text ?? "gone"): \(text($0.before))→\(text($0.after))" }
                + results.shown.map { "+\($0.id)" } + results.hidden.map { "-\($0.id)" }
        }
    }

    private func posting(_ lines: [String], hide: Bool = false, in room: inout Classroom) throws {
        let ground = room.ground()
        room.carryOut(try room.gradebook.post(lines.map { LineID($0) }, hide: hide, in: ground).plan)
    }

    @Test func `results are told in the order of the structure, with what stood there before`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 8), cell("l3", 70))
        #expect(try told(room, .full) == ["l3: →70", "l4: →8"])
        try room.enter(cell("l3", 80))
        #expect(try told(room, .full) == ["l3: 70→80"])
        #expect(try told(room, .released) == ["l3: 70→80"])
        try room.enter(CellChange(Self.ada, LineID("l4"), status: "excused"))
        #expect(try told(room, .released) == ["l4: 8→8 excused"])
        try room.undo(room.snapshot.version)
        #expect(try told(room, .released) == ["l4: 8 excused→8"])
    }

    @Test func `a result that was hidden when another one took its place stays hidden from the student`() throws {
        var room = try course()
        try room.enrol("ada")
        try posting(["l3"], hide: true, in: &room)
        #expect(try told(room, .released) == ["-l3"])
        try room.enter(cell("l3", 40), cell("l4", 9))
        try room.enter(cell("l3", 60))
        #expect(try told(room, .full, last: 2) == ["l3: →40", "l4: →9", "l3: 40→60"])
        #expect(try told(room, .released, last: 2) == ["l4: →9"])
        try posting(["l3"], in: &room)
        #expect(try told(room, .released, last: 3) == ["l4: →9", "+l3"])
        try room.enter(cell("l3", 65))
        #expect(try told(room, .released, last: 4) == ["l4: →9", "+l3", "l3: 60→65"])
        // While the line is hidden again, nothing is told of it.
        try posting(["l3"], hide: true, in: &room)
        #expect(try told(room, .released, last: 5) == ["l4: →9", "-l3"])
        #expect(try told(room, .full, last: 5) == ["l3: →40", "l4: →9", "l3: 40→60", "+l3", "l3: 60→65", "-l3"])
    }

    @Test func `a result that is held back is told to staff alone`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 70))
        var held = cell("l3", 75)
        held.isHeldBack = true
        try room.enter(held)
        #expect(try told(room, .full, last: 2) == ["l3: →70", "l3: 70→75"])
        #expect(try told(room, .released, last: 2) == [])
        var shown = cell("l3", 75)
        shown.isHeldBack = false
        try room.enter(shown)
        #expect(try told(room, .released, last: 3) == ["l3: →70", "l3: 70→", "l3: →75"])
    }

    @Test func `of a draft line, and of a class that is a draft, the student is told nothing`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 70))
        var patch = LinePatch()
        patch.state = .draft
        try room.change(.patch(LineID("l2"), patch))
        #expect(try told(room, .released, last: 1) == [])
        try room.enter(cell("l4", 9))
        #expect(try told(room, .released) == [])
        #expect(try told(room, .full) == ["l4: →9"])
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .draft), in: room.ground(.rows([]))).plan)
        #expect(try told(room, .released, last: 4) == [])
        room.carryOut(try room.gradebook.settle(ClassPatch(state: .open), in: room.ground(.rows([]))).plan)
        #expect(try told(room, .released) == ["+\(Self.root)"])
    }

    private func give(_ status: JSON, in room: inout Classroom) throws {
        let override = RowOverride(Self.ada, status: status)
        let ground = room.ground(.rows([Self.ada]))
        room.carryOut(
            try room.gradebook.override(
                [override], reason: "Left", by: Classroom.teacher, at: Classroom.moment, in: ground
            ).plan)
    }

    @Test func `a status of the total is told as that of the root, whichever lines show results`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 70))
        #expect(try !#require(room.lines.last).seen.shown.contains(ClassStructure.rootNumber))
        try posting(["l3", "\(Self.root)"], hide: true, in: &room)
        try give("withdrawn", in: &room)
        for view in [RecordView.full, .released] { #expect(try told(room, view) == ["\(Self.root): →withdrawn"]) }
        #expect(try #require(room.lines.last).changesShownCells)
        try give("excused", in: &room)
        #expect(try told(room, .released) == ["\(Self.root): withdrawn→excused"])
        try room.undo(room.snapshot.version)
        #expect(try told(room, .released) == ["\(Self.root): excused→withdrawn"])
        try give(.null, in: &room)
        #expect(try told(room, .released) == ["\(Self.root): withdrawn→"])
    }

    @Test func `a status of the total in a draft is told to the student when the class opens`() throws {
        var room = try course()
        try room.enrol("ada")
        func settle(_ state: ClassHead.State) throws {
            room.carryOut(try room.gradebook.settle(ClassPatch(state: state), in: room.ground(.rows([]))).plan)
        }
        try settle(.draft)
        try give("withdrawn", in: &room)
        #expect(try told(room, .full) == ["\(Self.root): →withdrawn"])
        #expect(try told(room, .released) == [])
        #expect(try !#require(room.lines.last).changesShownCells)
        try settle(.open)
        #expect(try told(room, .released, last: 2) == ["+\(Self.root)"])
        func news() throws -> [String] {
            let row = try #require(room.enrolled.first)
            let act = try ClassActDetail(#require(room.lines.last), in: room.snapshot, row: row)
            return act.news.map { "\($0.line?.id.text ?? "gone") \($0.after.statusWord ?? "–")" }
        }
        #expect(try news() == ["\(Self.root) withdrawn"])
        // To hide and show lines says nothing of it.
        try posting(["\(Self.root)"], hide: true, in: &room)
        try posting(["\(Self.root)"], in: &room)
        #expect(try news() == [])
    }

    @Test func `a line that is gone is told to staff without a name`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l5", 5), cell("l3", 70))
        let line = try #require(room.lines.last)
        try room.enter(cell("l5", .null))
        try room.change(.delete(LineID("l5")))
        let row = try #require(room.enrolled.first)
        let results = ResultChanges(ClassActDetail(line, in: room.snapshot, row: row), view: .full)
        #expect(results.cells.map { $0.line?.id.text } == ["l3", nil])
        #expect(ResultChanges(ClassActDetail(line, in: room.snapshot, row: row), view: .released).cells.count == 1)
    }

    @Test func `an amended record knows the line of the ledger that tells of it`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enrol("bob")
        let both = [cell("l3", 70), cell("l3", 80, EnrolmentID("e-bob"))]
        let ground = room.ground(.rows(both.map(\.enrolment)))
        let cells = try room.gradebook.enter(both, .all, reason: nil, in: ground).plan
        #expect(cells.linesOfRecords() == [RecordID("r-ada"): 0, RecordID("r-bob"): 1])
        room.carryOut(cells)
        let step = StructureChange.patch(LineID("l3"), LinePatch(fields: ["max": 200]))
        let structure = try room.gradebook.change([step], reason: nil, newID: { LineID("") }, in: room.ground()).plan
        #expect(structure.linesOfRecords() == [RecordID("r-ada"): 0, RecordID("r-bob"): 0])
    }
}
