import Chalkboard
import Classes
import Gradebook
import GradingKit
import GradingLaws
import Records
import RoseHulman
import Shared
import Testing

extension GradebookTests {
    private func document(_ room: Classroom, _ view: RecordView = .full) throws -> JSON {
        try JSON.parse(room.assembled("ada", view).document())
    }

    /// A course of chalkboard, which has no figures with fewer than three assessments.
    private func logic() throws -> Classroom {
        let structure = ClassStructure(root: "course", id: Self.root, fields: ["title": "Logic", "credits": 3])
        var room = try Classroom(structure, InstalledScheme(Chalkboard.self))
        for (name, weight) in [("Assignments", JSON(30)), ("Midterm", 30), ("Final", 40)] {
            try room.change(
                .add(
                    kind: "assessment", in: Self.root,
                    LinePatch(fields: ["name": .string(name), "max": 100, "weight": weight])))
        }
        try room.enrol("ada")
        return room
    }

    @Test(arguments: 1...30) func `a record with its rows has the figures of the record`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var room = try course()
        try room.enrol("ada")
        for line in ["l3", "l4", "l5"] where Bool.random(using: &generator) {
            try room.enter(cell(line, .number(String(Int.random(in: 0...10, using: &generator)))))
            if Bool.random(using: &generator) {
                var patch = LinePatch()
                patch.isPostedByHand = true
                try room.change(.patch(LineID(line), patch))
            }
        }
        for view in [RecordView.full, .released] {
            let (whole, stored) = (try document(room, view)["standing"], try room.standing("ada", view))
            #expect(whole?["figures"] == stored["figures"] && whole?["outcomes"] == stored["outcomes"])
            #expect(whole?["entries"]?["course-ada"]?["figures"] == stored["entries"]?["course-ada"]?["figures"])
        }
    }

    @Test func `the lines of a class stand in the place of its entry, with their figures`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 8))
        let whole = try document(room)
        let root = whole["record"]?["entries"]?.array?.first
        #expect(root?["id"] == "course-ada" && root?["given"] == nil)
        #expect(root?["children"]?.array?.compactMap { $0["id"]?.string } == ["l1", "l2"])
        #expect(whole["standing"]?["entries"]?["l2"]?["figures"]?["percent"]?["display"] == "80.00")
        #expect(
            whole["classes"]
                == [["entry": "course-ada", "class": "c", "enrolment": "e-ada", "complete": true]])
    }

    @Test func `a student sees no line of a draft class`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 8))
        var head = room.snapshot.head
        head.state = .draft
        room.snapshot = room.snapshot.changed(head, staff: room.snapshot.staff, at: room.snapshot.version)
        #expect(try document(room)["classes"]?.array?.count == 1)
        let seen = try document(room, .released)
        #expect(seen["classes"] == [] && seen["record"]?["entries"]?.array?.first?["children"] == [])
    }

    @Test func `a row that the rules do not take yet shows its lines and no figures, and a what-if may complete it`()
        throws
    {
        var room = try logic()
        try room.enter(cell("l1", 100), cell("l2", 100))
        let whole = try document(room)
        #expect(whole["classes"]?.array?.first?["complete"] == false)
        #expect(
            whole["classes"]?.array?.first?["given"]?["figures"]?["total"] == ["current": ["reason": "ungraded"]])
        #expect(whole["record"]?["entries"]?.array?.first?["children"]?.array?.count == 3)
        #expect(whole["standing"]?["figures"]?["gpa"]?["display"] == "")
        let third = RecordChange.patch(EntryID("l3"), ["fields": ["points": 50]])
        let tried = try JSON.parse(room.assembled("ada").preview([third]))
        #expect(tried["entries"]?["course-ada"]?["figures"]?["total"]?["display"] == "80.0")
        // One more in the first two changes nothing.
        let first = RecordChange.patch(EntryID("l1"), ["fields": ["points": 90]])
        #expect(try JSON.parse(room.assembled("ada").preview([first]))["figures"]?["gpa"]?["display"] == "")
    }

    @Test func `a row has the figures that its entry has in the record, and none while it is not taken`() throws {
        var room = try logic()
        for points in [JSON(100), 100, 50] {
            try room.enter(cell("l\(room.enrolled[0].row.cells.count + 1)", points))
            let book = try ClassBook(room.snapshot.structure, under: room.rules)
            let row = room.enrolled[0]
            let part = book.part(of: row)
            let counted = try room.rules.rules.standing(of: book.counted(part, of: row))
            let stored = try room.standing("ada", .full)["entries"]?["course-ada"]?["figures"]?["total"]
            let total = counted.entry(EntryID("course-ada"))?.figures.first { $0.name == "total" }?.current
            var exact: String?
            if case .value(let value)? = total { exact = value.description }
            #expect(stored?["exact"]?.string == exact)
            #expect(exact == (row.row.cells.count < 3 ? nil : "80"))
        }
    }

    @Test func `a what-if names its new entries itself, and none as another one`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 80))
        func preview(_ entry: JSON, in parent: String) throws -> JSON {
            try JSON.parse(room.assembled("ada").preview([.add(entry: entry, parent: parent, ref: nil)]))
        }
        let quizzes: JSON = [
            "id": "new-1", "kind": "category", "fields": ["category": "quizzes", "weight": 100],
            "children": [["id": "new-2", "kind": "item", "fields": ["title": "Quiz", "score": 5, "max": 10]]],
        ]
        let tried = try preview(quizzes, in: "course-ada")
        #expect(tried["entries"]?["new-1"]?["figures"]?["percent"]?["display"] == "50.00")
        #expect(faults { _ = try preview(["id": "l3", "kind": "item"], in: "l1") } == ["duplicate_id /changes/0/id"])
        // What is stored gets identifiers of the server.
        let own: JSON = [
            "id": "x", "kind": "course", "fields": ["title": "Own", "quarter": 1, "year": 2026, "credits": 4],
        ]
        let named = RecordChange.add(entry: own, parent: nil, ref: nil)
        let snapshot = try #require(room.records[RecordID("r-ada")])
        let edit = RecordEdit([named], answer: .none, operation: "changes", reason: nil)
        #expect(faults { _ = try room.rules.amendment(of: snapshot, by: edit, view: .full) } == ["unknown_field /id"])
    }

    @Test func `a result for a line of a class is refused as the class's`() throws {
        var room = try course()
        try room.enrol("ada")
        let snapshot = try #require(room.records[RecordID("r-ada")])
        func refusal(of path: [String]) -> [String] {
            faults {
                let edit = RecordEdit.result(at: path, ["fields": ["score": 5]], kind: nil)
                _ = try room.rules.amendment(of: snapshot, by: edit, view: .full)
            }
        }
        #expect(refusal(of: ["Algorithms", "Labs", "Lab 1"]) == ["class_entry /path"])
        #expect(refusal(of: ["Logic", "Labs", "Lab 1"]) == ["entry_unknown /path"])
    }

    @Test func `the entry of who left keeps what it was given`() throws {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l4", 8))
        try room.withdraw("ada", keepingEntry: true)
        let whole = try document(room)
        #expect(whole["classes"] == [])
        #expect(whole["standing"]?["entries"]?["course-ada"]?["figures"]?["grade"]?["display"] == "80.00")
    }

}
