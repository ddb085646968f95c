import Chalkboard
import Classes
import Gradebook
import GradingKit
import Records
import RoseHulman
import Shared
import Testing

@Suite struct GradebookTests {
    static let ada = EnrolmentID("e-ada")
    static let root = LineID("root")

    /// A course of exams (60 %: `l3` of 100) and labs (40 %: `l4` and `l5` of 10 each).
    func course() throws -> Classroom {
        let structure = ClassStructure(
            root: "course", id: Self.root,
            fields: ["title": "Algorithms", "quarter": 1, "year": 2026, "credits": 4])
        var room = try Classroom(structure, InstalledScheme(RoseHulman.self))
        try room.change(
            .add(kind: "category", in: Self.root, LinePatch(fields: ["category": "exams", "weight": 60])),
            .add(kind: "category", in: Self.root, LinePatch(fields: ["category": "labs", "weight": 40])))
        try room.change(
            .add(kind: "item", in: LineID("l1"), LinePatch(fields: ["title": "Final", "max": 100])),
            .add(kind: "item", in: LineID("l2"), LinePatch(fields: ["title": "Lab 1", "max": 10])),
            .add(kind: "item", in: LineID("l2"), LinePatch(fields: ["title": "Lab 2", "max": 10])))
        return room
    }

    func faults(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch let faults as FaultList {
            return faults.faults.map { "\($0.code) \($0.path)" }
        } catch {
            return ["\(error)"]
        }
    }

    func cell(
        _ line: String, _ value: JSON, _ student: EnrolmentID = ada, seen: CellChange.Seen? = nil,
        structure: Int? = nil
    ) -> CellChange {
        CellChange(student, LineID(line), value: value, seen: seen, structure: structure)
    }

    @Test func `columns are the lines whose kind takes a grade there`() throws {
        let room = try course()
        let book = try ClassBook(room.snapshot.structure, under: room.rules)
        #expect(book.columns.keys.sorted() == [3, 4, 5])
        #expect(book.columns[3]?.gradeField == "score")
        var other = room
        try other.change(
            .add(kind: "category", in: Self.root, LinePatch(fields: ["category": "participation", "weight": 5])))
        #expect(try ClassBook(other.snapshot.structure, under: other.rules).columns[6]?.gradeField == "grade")
    }

    @Test func `a structure is refused in the scheme's words at its lines`() throws {
        var room = try course()
        #expect(
            faults { try room.change(.patch(LineID("l3"), LinePatch(fields: ["max": 0]))) }
                == ["max_not_positive /lines/l3/fields/max"])
        #expect(
            faults { try room.change(.add(kind: "unit", in: Self.root, LinePatch())) } == ["wrong_kind /lines/l6/kind"])
    }

    @Test func `a student without a record gets one whose entry stands for the row`() throws {
        var room = try course()
        try room.enrol("ada")
        let record = try #require(room.records[RecordID("r-ada")])
        #expect(record.holdsLinks)
        #expect(try room.rules.visibleTree(of: record, view: .full).links.map(\.link.enrolment) == ["e-ada"])
        #expect(try room.display("grade", "ada") == "")
        #expect(faults { try room.enrol("ada") } == ["enrolled_already /student"])
    }

    @Test func `a result reaches the record, its letter and its GPA in one act`() throws {
        var room = try course()
        try room.enrol("ada")
        let version = room.snapshot.version
        try room.enter(cell("l3", 90), cell("l4", 10), cell("l5", 8))
        #expect(room.snapshot.version == version + 1)
        #expect(try room.display("grade", "ada") == "90.00")
        #expect(try room.standing("ada")["entries"]?["course-ada"]?["letter"] == "A")
        #expect(try room.standing("ada")["figures"]?["gpa"]?["display"] == "4.00")
        #expect(room.lines.last?.enrolment == Self.ada)
        #expect(room.lines.last?.operation == "cells")
    }

    @Test func `what already stands there is accepted, and nothing is done`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 7))
        let version = room.snapshot.version
        #expect(try room.enter(cell("l4", "7.0", seen: CellChange.Seen(value: .null))).accepted == 1)
        #expect(room.snapshot.version == version)
    }

    @Test func `a cell is written over what was seen, and a conflict shows the other's value`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 7), by: AccountID("other"))
        do {
            try room.enter(cell("l4", 5, seen: CellChange.Seen(value: .null)))
            Issue.record("the other's result was lost")
        } catch let faults as FaultList {
            let fault = try #require(faults.faults.first)
            #expect(fault.code == .cellConflict)
            #expect(fault.path == "/cells/0")
            #expect(fault.arguments["value"] == 7)
            #expect(fault.arguments["row"] == "e-ada")
            #expect(fault.arguments["line"] == "l4")
        }
        // The neighbour's change is no conflict.
        try room.enter(cell("l5", 3))
        try room.enter(cell("l4", 5, seen: CellChange.Seen(value: 7)))
        #expect(room.enrolled[0].row[4].values["score"] == .number(5))
    }

    @Test func `a result that was meant for another maximum is refused`() throws {
        var room = try course()
        try room.enrol("ada")
        let seen = room.snapshot.structure.number
        try room.change(.patch(LineID("l4"), LinePatch(fields: ["max": 20])))
        #expect(faults { try room.enter(cell("l4", 9, structure: seen)) } == ["line_changed /cells/0"])
        try room.enter(cell("l5", 9, structure: seen))
    }

    @Test func `a paste takes what is accepted and names every other cell`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enrol("bob")
        let answer = try room.enter(
            cell("l4", -1), cell("l5", 8), cell("l1", 5), cell("l4", "x", EnrolmentID("e-bob")),
            cell("l5", 6, EnrolmentID("e-bob")), cell("l4", 1, EnrolmentID("e-eve")), mode: .each)
        #expect(answer.accepted == 2)
        #expect(
            answer.faults.map { "\($0.code) \($0.path)" } == [
                "grade_out_of_range /cells/0", "not_a_cell /cells/2/line", "not_a_number /cells/3/value",
                "enrolment_unknown /cells/5/row",
            ])
        #expect(room.enrolled.map { $0.row[5].values["score"] } == [.number(8), .number(6)])
        let version = room.snapshot.version
        #expect(faults { try room.enter(cell("l4", 5), cell("l5", -1)) } == ["grade_out_of_range /cells/1"])
        #expect(room.snapshot.version == version)
    }

    @Test func `a status is one that the shape lists`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(CellChange(Self.ada, LineID("l4"), status: "absent"), cell("l3", 80))
        #expect(room.enrolled[0].row[4].status == .absent)
        #expect(
            faults { try room.enter(CellChange(Self.ada, LineID("l4"), status: "audit")) }
                == ["out_of_range /cells/0/status"])
    }

    @Test func `hidden results change nothing that the student sees`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 10), cell("l5", 10))
        var byHand = LinePatch()
        byHand.isPostedByHand = true
        try room.change(.patch(LineID("l3"), byHand))
        let before = try room.standing("ada", .released)
        try room.enter(cell("l3", 10))
        #expect(try room.display("grade", "ada") == "46.00")
        #expect(try room.standing("ada", .released) == before)
        let record = try #require(room.records[RecordID("r-ada")])
        let seen = String(decoding: record.content(.released).tree, as: UTF8.self)
        #expect(!seen.contains("released"))
        room.carryOut(try room.gradebook.post([LineID("l3")], hide: false, in: room.ground()).plan)
        #expect(try room.display("grade", "ada", .released) == "46.00")
        room.carryOut(try room.gradebook.post([LineID("l3")], hide: true, in: room.ground()).plan)
        #expect(try room.standing("ada", .released) == before)
    }

    @Test func `a draft is not there for students`() throws {
        var room = try course()
        try room.enrol("ada")
        let before = try room.standing("ada", .released)
        var draft = LinePatch(fields: ["title": "Lab 3", "max": 10])
        draft.state = .draft
        try room.change(.add(kind: "item", in: LineID("l2"), draft))
        try room.enter(cell("l6", 2))
        #expect(try room.standing("ada", .released) == before)
        #expect(try room.display("grade", "ada") != "")
        #expect(try room.assembled("ada", .released).tree.entry(EntryID("l6")) == nil)
        #expect(try room.assembled("ada").tree.entry(EntryID("l6")) != nil)
    }

    @Test func `weights apply to every row, and a maximum below a result is refused with the student`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 100), cell("l4", 0), cell("l5", 0))
        #expect(try room.display("grade", "ada") == "60.00")
        try room.change(
            .patch(LineID("l1"), LinePatch(fields: ["weight": 50])),
            .patch(LineID("l2"), LinePatch(fields: ["weight": 50])))
        #expect(try room.display("grade", "ada") == "50.00")
    }

    @Test func `undo puts back what was written, and leaves and names what others changed since`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 7), cell("l5", 6))
        let version = room.snapshot.version
        try room.enter(cell("l5", 9), by: AccountID("other"))
        let answer = try room.undo(version)
        #expect(answer.faults.map { "\($0.code) \($0.path)" } == ["cell_conflict /rows/e-ada/l5"])
        #expect(room.enrolled[0].row[4].isEmpty)
        #expect(room.enrolled[0].row[5].values["score"] == .number(9))
        // An undo is undone like any act.
        try room.undo(room.snapshot.version)
        #expect(room.enrolled[0].row[4].values["score"] == .number(7))
    }

    @Test func `undo of a deleted line brings back its results`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 10), cell("l5", 0))
        #expect(try room.display("grade", "ada") == "50.00")
        try room.change(.delete(LineID("l5")))
        #expect(try room.display("grade", "ada") == "100.00")
        try room.undo(room.snapshot.version)
        #expect(try room.display("grade", "ada") == "50.00")
        #expect(room.snapshot.structure.line(LineID("l5")) != nil)
        let version = room.snapshot.version - 1
        #expect(faults { try room.undo(version) } == ["line_changed "])
    }

    @Test func `who leaves takes no results, and the entry goes or stays as was chosen`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enrol("bob")
        try room.withdraw("ada", keepingEntry: false)
        #expect(room.records[RecordID("r-ada")]?.holdsLinks == false)
        #expect(faults { try room.enter(cell("l4", 1)) } == ["enrolment_ended /cells/0/row"])
        try room.withdraw("bob", keepingEntry: true)
        #expect(room.records[RecordID("r-bob")]?.holdsLinks == true)
    }

    @Test func `an entry that stays can say that its student withdrew, until the student is back`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 90), cell("l4", 9), cell("l5", 9))
        #expect(faults { try room.withdraw("ada", keepingEntry: true, as: .absent) } == ["out_of_range /keep"])
        try room.withdraw("ada", keepingEntry: true, as: .withdrawn)
        let status = { (room: Classroom) in
            let tree = try room.records[RecordID("r-ada")].map { try room.rules.visibleTree(of: $0, view: .full) }
            return tree?.entry(EntryID("course-ada"))?.status
        }
        #expect(try status(room) == .withdrawn)
        // The row by itself says the same.
        let book = try ClassBook(room.snapshot.structure, under: room.rules)
        #expect(book.part(of: room.enrolled[0]).entry(EntryID("course-ada"))?.status == .withdrawn)
        try room.undo(room.snapshot.version)
        #expect(try status(room) == nil)
        #expect(room.enrolled[0].enrolment.leftAs == nil)
    }

    @Test func `what is entered for each student stands in no line`() throws {
        var room = try course()
        let score = LinePatch(fields: ["title": "Bonus", "max": 10, "score": 10])
        #expect(
            faults { try room.change(.add(kind: "item", in: LineID("l2"), score)) }
                == ["not_in_structure /lines/l6/fields/score"])
    }

    @Test func `a class is full with as many students as it may have`() throws {
        var room = try course()
        try room.enrol("ada")
        let row = try #require(room.enrolled.first)
        for number in 1..<ClassLimits.students {
            let other = Enrolment(
                id: EnrolmentID("e\(number)"), classID: row.enrolment.classID, student: AccountID("s\(number)"),
                record: row.enrolment.record, entry: row.enrolment.entry, since: row.enrolment.since)
            room.enrolled.append(EnrolledRow(other, ClassRow(), version: 1))
        }
        #expect(faults { try room.enrol("bob") } == ["class_full /student"])
    }

    @Test func `a row that its rules do not take yet has no figures`() throws {
        let structure = ClassStructure(root: "course", id: Self.root, fields: ["title": "Logic", "credits": 3])
        var room = try Classroom(structure, InstalledScheme(Chalkboard.self))
        let weights: [(String, JSON)] = [("Assignments", 30), ("Midterm", 30), ("Final", 40)]
        for (name, weight) in weights {
            // Fewer than three are no fault: they are still to come.
            try room.change(
                .add(
                    kind: "assessment", in: Self.root,
                    LinePatch(fields: ["name": .string(name), "max": 100, "weight": weight])))
        }
        try room.enrol("ada")
        try room.enter(cell("l1", 100), cell("l2", 100))
        #expect(try room.display("total", "ada") == "")
        #expect(try room.standing("ada")["figures"]?["gpa"]?["display"] == "")
        try room.enter(cell("l3", 50))
        #expect(try room.display("total", "ada") == "80.0")
    }

    @Test func `what-ifs, goals and traces work on the record with its rows`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 10), cell("l5", 10))
        let record = try room.assembled("ada")
        let tried = try JSON.parse(record.preview([.patch(EntryID("l3"), ["fields": ["score": 50]])]))
        #expect(tried["entries"]?["course-ada"]?["figures"]?["grade"]?["display"] == "70.00")
        let goal = try Goal(["figure": "grade", "entry": "course-ada", "target": 70])
        #expect(try JSON.parse(record.answer(to: goal))["status"] == "reachable")
        let explained = try JSON.parse(record.explanation(.named(["gpa"])))
        let nodes = explained["traces"]?["nodes"]?.array ?? []
        #expect(nodes.contains { $0["op"] == "input" && $0["entry"] == "l4" })
    }
}
