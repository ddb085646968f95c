import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// What a curve makes of the results of a column.
extension GradebookTests {
    private func curve(_ json: JSON?) throws -> StructureChange {
        var patch = LinePatch()
        patch.curve = .some(try json.map { try LineCurve($0, at: "/curve") })
        return .patch(LineID("l3"), patch)
    }

    /// Ada has 80 and Bob nothing in the exam; both have everything in the labs.
    private func room() throws -> Classroom {
        var room = try course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        try room.enter(cell("l3", 80), cell("l4", 10), cell("l5", 10))
        return room
    }

    private func figures(of name: String, in room: Classroom, _ view: RecordView = .full) throws -> GivenFigures {
        let row = try #require(room.enrolled.first { $0.enrolment.id.text == "e-\(name)" })
        let given = try ClassBook(room.snapshot.structure, under: room.rules).judged(row).given
        return view == .full ? given.full : given.released ?? given.full
    }

    @Test(
        arguments: [
            (["op": "add", "value": "5"], "91.00"), (["op": "add", "value": -5], "85.00"),
            (["op": "scale", "value": "1.25"], "100.00"), (["op": "scale", "value": "0.5"], "64.00"),
            (["op": "add", "value": 30], "106.00"), (["op": "add", "value": 30, "cap": true], "100.00"),
            (["op": "table", "points": [["0", "20"], ["50", "60"], ["100", 100]]], "90.40"),
            (["op": "table", "points": [[0, 10], [40, 50]]], "70.00"),
        ] as [(JSON, String)])
    func `a curve says what the results of a column count for`(_ json: JSON, _ grade: String) throws {
        var room = try room()
        #expect(try room.display("grade", "ada") == "88.00")
        try room.change(try curve(json))
        #expect(try room.display("grade", "ada") == grade)
        // What was entered stays, and is stored with the structure.
        #expect(room.enrolled[0].row[3].values == ["score": .number(80)])
        let structure = room.snapshot.structure
        #expect(ClassStructure(text: structure.text) == structure)
        try room.undo(room.snapshot.version)
        #expect(try room.display("grade", "ada") == "88.00")
    }

    @Test func `a curve is taken away again`() throws {
        var room = try room()
        try room.change(try curve(["op": "add", "value": 5]))
        try room.change(try curve(nil))
        #expect(room.snapshot.structure.line(LineID("l3"))?.curve == nil)
        #expect(try room.display("grade", "ada") == "88.00")
    }

    @Test func `a result that was seen before the curve is entered all the same`() throws {
        var room = try room()
        let seen = room.snapshot.structure.number
        try room.change(try curve(["op": "add", "value": 5]))
        try room.enter(
            CellChange(
                Self.ada, LineID("l3"), value: 70, seen: CellChange.Seen(value: 80), structure: seen))
        #expect(try room.display("grade", "ada") == "85.00")
    }

    @Test func `late work loses of what its result counts for, and missing work is not curved`() throws {
        var room = try room()
        try room.change(
            try curve(["op": "add", "value": 10]),
            .policy(WorkPolicy(lateness: .init(20, per: .once), absence: .init(share: 0))))
        var late = CellChange(Self.ada, LineID("l3"))
        late.late = 5
        try room.enter(late)
        // 80 + 10 - 20, which are 60 % of the grade.
        #expect(try room.display("grade", "ada") == "82.00")
        try room.enter(CellChange(Self.ada, LineID("l3"), value: .null, status: "missing"))
        #expect(try room.display("grade", "ada") == "40.00")
    }

    @Test func `what a student can still reach is curved, too`() throws {
        var room = try room()
        try room.change(try curve(["op": "scale", "value": "0.5"]))
        // A half of the exam's 60 %, and all of the labs' 40 %.
        #expect(try figures(of: "bob", in: room).figures["grade"]?.ceiling == .value(70))
        #expect(try figures(of: "bob", in: room, .released).figures["grade"]?.ceiling == .value(70))
    }

    @Test func `while results are not shown, no student sees the curve, whatever stands in the cell`() throws {
        var room = try room()
        var byHand = LinePatch()
        byHand.isPostedByHand = true
        try room.change(.patch(LineID("l3"), byHand))
        func released() throws -> [GivenFigures] {
            try ["ada", "bob"].map { try figures(of: $0, in: room, .released) }
        }
        let before = try released()
        try room.change(try curve(["op": "scale", "value": "0.5"]))
        #expect(try released() == before)
        #expect(try room.display("grade", "ada") == "64.00")
        // Tried by the student, a result counts as the student knows it.
        let book = try ClassBook(room.snapshot.structure, under: room.rules)
        let tried = try book.tried([cell("l3", 80)], in: room.enrolled[0], asStudent: true)
        #expect(
            try book.rules.rules.standing(of: tried).entry(EntryID("course-ada"))?.figures.first?.display == "88.00")
    }

    @Test func `in a column whose results are shown, a result that is held back is as none`() throws {
        var room = try room()
        try room.enter(
            CellChange(Self.ada, LineID("l4"), value: .null), CellChange(Self.ada, LineID("l5"), value: .null))
        var held = CellChange(Self.ada, LineID("l3"))
        held.isHeldBack = true
        try room.enter(held)
        try room.change(try curve(["op": "scale", "value": "0.5"]))
        #expect(try figures(of: "ada", in: room, .released) == figures(of: "bob", in: room, .released))
    }

    @Test func `a rehearsal tells what counts now and then`() throws {
        var room = try room()
        try room.enter(CellChange(EnrolmentID("e-bob"), LineID("l3"), value: 95))
        let found = try room.gradebook.rehearse(
            [try curve(["op": "add", "value": 10, "cap": true])], newID: { LineID("") }, in: room.ground())
        #expect(found.curves.map(\.line) == [LineID("l3")])
        #expect(found.curves.map(\.before) == [[80, 95]])
        #expect(found.curves.map(\.after) == [[90, 100]])
        #expect(found.curves.map(\.scale) == [0...100])
        #expect(found.rows.map { $0.after?.displays["grade"] } == ["94.00", "100.00"])
        #expect(room.snapshot.structure.line(LineID("l3"))?.curve == nil)
        let weights = StructureChange.patch(LineID("l1"), LinePatch(fields: ["weight": 40]))
        #expect(try room.gradebook.rehearse([weights], newID: { LineID("") }, in: room.ground()).curves.isEmpty)
    }

    @Test func `a curve needs numbers`() throws {
        var room = try room()
        var patch = LinePatch()
        patch.curve = try LineCurve(["op": "add", "value": 5], at: "")
        #expect(faults { try room.change(.patch(LineID("l1"), patch)) } == ["curve_misplaced /lines/l1/curve"])
    }

    @Test func `what is wrong with a curve is said at its place`() throws {
        func wrong(_ json: JSON) -> Set<String> { Set(faults { _ = try LineCurve(json, at: "/c") }) }
        #expect(wrong([:]) == ["missing_field /c/op"])
        #expect(wrong(5) == ["wrong_type /c"])
        #expect(wrong(["op": "root"]) == ["out_of_range /c/op"])
        #expect(wrong(["op": "add"]) == ["missing_field /c/value"])
        #expect(wrong(["op": "add", "value": "five", "x": 1]) == ["not_a_number /c/value", "unknown_field /c/x"])
        #expect(wrong(["op": "add", "value": "1.23456"]) == ["not_a_number /c/value"])
        #expect(wrong(["op": "add", "value": 1_000_000_000]) == ["out_of_range /c/value"])
        #expect(wrong(["op": "scale", "value": 0]) == ["out_of_range /c/value"])
        #expect(wrong(["op": "scale", "value": 101]) == ["out_of_range /c/value"])
        #expect(wrong(["op": "table"]) == ["missing_field /c/points"])
        #expect(wrong(["op": "table", "points": [[0, 0]]]) == ["out_of_range /c/points"])
        let many = JSON.array((0...LineCurve.greatestTable).map { [.number(String($0)), 0] })
        #expect(wrong(["op": "table", "points": many]) == ["out_of_range /c/points"])
        #expect(wrong(["op": "table", "points": [[0, 50], [10, 40]]]) == ["curve_falls /c/points/1"])
        #expect(wrong(["op": "table", "points": [[10, 0], [10, 5]]]) == ["curve_falls /c/points/1"])
        #expect(
            wrong(["op": "table", "points": [[0], [1, "x"]]]) == [
                "wrong_type /c/points/0", "not_a_number /c/points/1/1",
            ])
        #expect(wrong(["op": "add", "value": 1, "cap": 1]) == ["wrong_type /c/cap"])
    }
}
