import Classes
import Gradebook
import GradingKit
import Records
import RoseHulman
import Shared
import Testing

/// Records with rows of classes that another version of their program judges.
extension GradebookTests {
    /// Version 2: grades of courses are rounded to whole numbers.
    private func rounded() throws -> RecordRules {
        let rule: JSON = ["grade": ["scale": 0]]
        return RecordRules(
            rules: try InstalledScheme(RoseHulman.self).rulebook(configuration: rule), programVersion: 2,
            language: .english, newID: { EntryID("new") })
    }

    /// Ada has 84.5 in a class.
    private func graded() throws -> Classroom {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", .number("82.5")), cell("l4", .number("8.5")), cell("l5", 9))
        return room
    }

    private func linked(_ room: Classroom) throws -> LinkedRecord {
        let snapshot = try #require(room.records[RecordID("r-ada")])
        let rows = room.enrolled.filter { !$0.enrolment.isWithdrawn }.map { row in
            (row.enrolment.entry, MarkedRow(row, of: room.snapshot, RowMark(row: 1, restated: 1, programVersion: 1)))
        }
        return LinkedRecord(snapshot, rows: Dictionary(rows) { $1 })
    }

    private func move(_ room: Classroom, to rules: RecordRules, judgingClosed: Bool = false) throws -> RecordMove {
        try RecordMove(try linked(room), to: rules, judgingClosed: judgingClosed) {
            try? ClassBook($0.structure, under: room.rules)
        } books: { taught throws(FaultList) in
            try ClassBook(taught.structure, under: rules)
        }
    }

    private func closed(_ room: Classroom) -> Classroom {
        var (room, head) = (room, room.snapshot.head)
        head.state = .closed
        room.snapshot = room.snapshot.changed(head, staff: room.snapshot.staff, at: room.snapshot.version)
        return room
    }

    private func grade(_ content: RecordContent?) throws -> String? {
        try JSON.parse(content?.standing ?? [])["entries"]?["course-ada"]?["figures"]?["grade"]?["display"]?.string
    }

    @Test func `a record moves together with the rows of its classes`() throws {
        let room = try graded()
        #expect(try room.display("grade", "ada") == "84.50")
        let move = try move(room, to: try rounded())
        #expect(try grade(move.amendment.full) == "85")
        #expect(move.amendment.programVersion == 2)
        #expect(move.acts.map(\.taught) == [ClassID("c")])
        let plan = try #require(move.acts.first?.plan)
        #expect(plan.operation == "move" && plan.rows == room.enrolled && plan.amendments.isEmpty)
        let line = try #require(plan.lines.first)
        #expect(line.before == Array(#"{"programVersion":1}"#.utf8))
        #expect(line.after == Array(#"{"programVersion":2}"#.utf8))
    }

    @Test func `what a student does not see yet stays hidden by a move`() throws {
        var room = try graded()
        var patch = LinePatch()
        patch.isPostedByHand = true
        try room.change(.patch(LineID("l3"), patch))
        try room.enter(cell("l3", 50))
        let move = try move(room, to: try rounded())
        #expect(try grade(move.amendment.full) == "65")
        #expect(try grade(move.amendment.released) == "88")
    }

    @Test func `a closed class keeps a record where it is, unless its figures stay or may change`() throws {
        let room = closed(try graded())
        #expect(faults { _ = try move(room, to: try rounded()) } == ["class_closed "])
        #expect(try grade(move(room, to: try rounded(), judgingClosed: true).amendment.full) == "85")
        let loose = RecordRules(
            rules: try InstalledScheme(RoseHulman.self).rulebook(configuration: ["gpa": ["scale": 3]]),
            programVersion: 2, language: .english, newID: { EntryID("new") })
        #expect(try grade(move(room, to: loose).amendment.full) == "84.50")
    }

    @Test func `the entry of who left keeps what it was given, and the record moves`() throws {
        var room = try graded()
        try room.withdraw("ada", keepingEntry: true)
        let move = try move(room, to: try rounded())
        #expect(try grade(move.amendment.full) == "85")
        #expect(move.acts.isEmpty && move.amendment.programVersion == 2)
    }

    @Test func `a class whose structure the other rules refuse keeps the record where it is`() throws {
        let (room, rules) = (try graded(), try rounded())
        #expect(
            faults {
                _ = try RecordMove(try linked(room), to: rules, judgingClosed: false) { _ in
                    nil
                } books: { _ throws(FaultList) in
                    throw FaultList([Fault(.notMountable)])
                }
            } == ["rules_unusable "])
    }

    @Test func `a move of a row is not taken back as an act of the class`() throws {
        var room = try graded()
        room.carryOut(try #require(try move(room, to: try rounded()).acts.first).plan)
        #expect(faults { try room.undo(room.snapshot.version) } == ["nothing_to_undo "])
    }
}
