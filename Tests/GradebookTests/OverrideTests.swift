import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// Totals that a teacher gives beside the computed ones.
extension GradebookTests {
    /// Ada has 88.00.
    private func room() throws -> Classroom {
        var room = try course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        try room.enter(cell("l3", 80), cell("l4", 10), cell("l5", 10))
        return room
    }

    private func given(
        _ value: JSON, to name: String = "ada", was seen: JSONObject = JSONObject(), reason: String = "Oral",
        in room: inout Classroom
    ) throws {
        let id = EnrolmentID("e-\(name)")
        let override = RowOverride(id, ["grade": value], seen: seen)
        room.carryOut(
            try room.gradebook.override(
                [override], reason: reason, by: Classroom.teacher, at: Classroom.moment, in: room.ground(.rows([id]))
            ).plan)
    }

    private func codes(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch let faults as FaultList {
            return faults.faults.map { "\($0.code.text) \($0.path)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `a given total counts in the record, with its letter, beside the computed one`() throws {
        var room = try room()
        #expect(try room.display("grade", "ada") == "88.00")
        try given("95", in: &room)
        #expect(try room.display("grade", "ada") == "95.00")
        #expect(try room.standing("ada")["entries"]?["course-ada"]?["letter"]?.string == "A")
        #expect(try room.display("grade", "ada", .released) == "95.00")
        // The row itself tells both, and who gave it why; the student is told no reason.
        let row = try #require(room.enrolled.first)
        let part = try ClassBook(room.snapshot.structure, under: room.rules).part(of: row)
        for (tree, reason) in [(part, "Oral" as String?), (part.released, nil)] {
            let standing = try room.rules.rules.standing(of: tree)
            var writer = JSONWriter()
            standing.write(to: &writer, of: nil, in: .english)
            let grade = try JSON.parse(writer.bytes)["entries"]?["course-ada"]?["figures"]?["grade"]
            #expect(grade?["display"]?.string == "95.00")
            #expect(grade?["computed"]?["display"]?.string == "88.00")
            #expect(grade?["given"]?["reason"]?.string == reason)
        }
        // It is stored with the row.
        #expect(ClassRow(try JSON.parse(row.row.json.bytes)) == row.row)
        // Results that come later change the computed one alone.
        try room.enter(cell("l3", 70))
        #expect(try room.display("grade", "ada") == "95.00")
        try given(.null, in: &room)
        #expect(try room.display("grade", "ada") == "82.00")
    }

    @Test func `a given total is undone as an act, and what others gave since stays`() throws {
        var room = try room()
        try given("95", in: &room)
        let first = room.snapshot.version
        #expect(try room.undo(first).accepted == 1)
        #expect(try room.display("grade", "ada") == "88.00")
        // An undo is undone.
        #expect(try room.undo(room.snapshot.version).accepted == 1)
        #expect(try room.display("grade", "ada") == "95.00")
        try given("90", in: &room)
        let answer = try room.undo(first)
        #expect(answer.accepted == 0 && answer.faults.map(\.code) == [.givenChanged])
        #expect(answer.faults.map(\.path) == ["/rows/e-ada"])
        #expect(try room.display("grade", "ada") == "90.00")
    }

    @Test func `what was seen is a condition`() throws {
        var room = try room()
        try given("95", was: ["grade": nil], in: &room)
        #expect(
            codes { try given("90", was: ["grade": nil], in: &room) } == ["given_changed /rows/0/figures/grade"])
        try given("90", was: ["grade": "95.0"], in: &room)
        #expect(try room.display("grade", "ada") == "90.00")
    }

    @Test func `a row that is not taken yet has what was given`() throws {
        var room = try course()
        try room.enrol("bob")
        #expect(try room.display("grade", "bob") == "")
        try given("60", to: "bob", in: &room)
        #expect(try room.display("grade", "bob") == "60.00")
    }

    private func give(
        _ status: JSON, to name: String = "ada", was seen: JSON? = nil, in room: inout Classroom
    ) throws {
        let id = EnrolmentID("e-\(name)")
        let override = RowOverride(id, status: status, seenStatus: seen)
        room.carryOut(
            try room.gradebook.override(
                [override], reason: "Left", by: Classroom.teacher, at: Classroom.moment, in: room.ground(.rows([id]))
            ).plan)
    }

    private func status(of name: String, in room: Classroom, _ view: RecordView = .full) throws -> Status? {
        let record = try #require(room.records[RecordID("r-\(name)")])
        return try room.rules.visibleTree(of: record, view: view).entry(EntryID("course-\(name)"))?.status
    }

    @Test func `the total of a row with lines takes a status, which counts in the record`() throws {
        var room = try room()
        #expect(try room.standing("ada")["figures"]?["gpa"]?["display"]?.string == "3.50")
        try give("withdrawn", in: &room)
        #expect(try status(of: "ada", in: room) == .withdrawn)
        #expect(try status(of: "ada", in: room, .released) == .withdrawn)
        #expect(try room.standing("ada")["figures"]?["gpa"]?["display"]?.string == "")
        #expect(try room.display("grade", "ada") == "88.00")
        // It is stored with the row, and the row by itself says the same.
        let row = try #require(room.enrolled.first)
        #expect(ClassRow(try JSON.parse(row.row.json.bytes)) == row.row)
        let book = try ClassBook(room.snapshot.structure, under: room.rules)
        #expect(book.part(of: row).entry(EntryID("course-ada"))?.status == .withdrawn)
        // Results still count in the row.
        try room.enter(cell("l3", 70))
        #expect(try room.display("grade", "ada") == "82.00")
        #expect(try status(of: "ada", in: room) == .withdrawn)
        try give(.null, in: &room)
        #expect(try status(of: "ada", in: room) == nil)
    }

    @Test func `a status of a total is undone as an act, and what others gave since stays`() throws {
        var room = try room()
        try give("withdrawn", in: &room)
        let first = room.snapshot.version
        #expect(try room.undo(first).accepted == 1)
        #expect(try status(of: "ada", in: room) == nil)
        #expect(try room.undo(room.snapshot.version).accepted == 1)
        #expect(try status(of: "ada", in: room) == .withdrawn)
        try give("excused", in: &room)
        let answer = try room.undo(first)
        #expect(answer.faults.map { "\($0.code.text) \($0.path)" } == ["given_changed /rows/e-ada"])
        #expect(try status(of: "ada", in: room) == .excused)
    }

    @Test func `a status that is given is one that the root takes, on the condition of what was seen`() throws {
        var room = try room()
        #expect(codes { try give("asleep", in: &room) } == ["out_of_range /rows/0/status"])
        #expect(codes { try give(7, in: &room) } == ["out_of_range /rows/0/status"])
        try give("withdrawn", was: .null, in: &room)
        #expect(codes { try give("excused", was: .null, in: &room) } == ["given_changed /rows/0/status"])
        // What is asked for stands there already.
        let version = room.snapshot.version
        try give("withdrawn", was: .null, in: &room)
        #expect(room.snapshot.version == version)
        try give("excused", was: "withdrawn", in: &room)
        #expect(try status(of: "ada", in: room) == .excused)
        // A status that was taken away meanwhile is no less a change.
        try give(.null, in: &room)
        #expect(codes { try give("withdrawn", was: "excused", in: &room) } == ["given_changed /rows/0/status"])
        #expect(try status(of: "ada", in: room) == nil)
    }

    @Test func `every fault has its place, and nothing is given`() throws {
        var room = try room()
        let version = room.snapshot.version
        #expect(codes { try given("95", reason: " ", in: &room) } == ["needs_reason /reason"])
        #expect(codes { try given("1234567890", in: &room) } == ["too_precise /rows/0/figures/grade"])
        #expect(codes { try given(true, in: &room) }.map { $0.hasSuffix("/rows/0/figures/grade") } == [true])
        let other = RowOverride(EnrolmentID("e-eve"), ["grade": 1])
        let unknown = RowOverride(EnrolmentID("e-ada"), ["luck": 1])
        let found = codes {
            _ = try room.gradebook.override(
                [other, unknown], reason: "Oral", by: Classroom.teacher, at: Classroom.moment, in: room.ground())
        }
        #expect(found == ["enrolment_unknown /rows/0/row", "unknown_field /rows/1/figures/luck"])
        try room.withdraw("bob", keepingEntry: true)
        #expect(codes { try given("9", to: "bob", in: &room) } == ["enrolment_ended /rows/0/row"])
        #expect(room.snapshot.version == version + 1)
    }

    @Test func `requests are read with all faults at once`() throws {
        let json: JSON = [["row": "e", "figures": ["grade": "9"], "was": 3, "x": 1], ["figures": []], 7]
        #expect(
            codes { _ = try RowOverride.list(json, at: "/rows") } == [
                "wrong_type /rows/0/was", "unknown_field /rows/0/x", "missing_field /rows/1/row",
                "wrong_type /rows/2",
            ])
        let many = JSON.array(Array(repeating: ["row": "e", "figures": [:]], count: 201))
        #expect(codes { _ = try RowOverride.list(many, at: "/rows") } == ["entry_limit /rows"])
    }
}
