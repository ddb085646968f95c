import Classes
import Gradebook
import GradingKit
import Records
import Regulations
import Shared
import Testing

/// Classes whose program calls the figures of totals by other names.
@Suite struct RenamedFigureTests {
    private static let root = LineID("l0")

    private static func rules(_ figure: String, version: Version) throws -> RecordRules {
        let document = """
            ```rules
            regulation renamed "Renamed" language 1
            rounding whole half up, 0 decimals, judged as shown
            entry module "Module"
                title text
            entry exam in module "Examination"
                title text
                mark grade in percent
            figure \(figure) shown by whole = mean of mark over exam otherwise ungraded
            ```
            """
        return RecordRules(
            rules: try #require(Regulation(Array(document.utf8)).rulebook), programVersion: version,
            language: .english, newID: { EntryID("new") })
    }

    private static let before = #"result of module in percent "Result""#
    private static let after = #"overall of module in percent "Overall" was result"#

    /// Ada has 80 in an examination.
    private func room(risk: JSON? = nil) throws -> Classroom {
        var room = Classroom(
            ClassStructure(root: "module", id: Self.root, fields: ["title": "Logic"]),
            try Self.rules(Self.before, version: 1).rules)
        try room.change(.add(kind: "exam", in: Self.root, LinePatch(fields: ["title": "Essay"])))
        if let risk { try room.change(.policy(try WorkPolicy(["risk": risk], at: "/policy"), keeping: [])) }
        try room.enrol("ada")
        try room.enter(CellChange(EnrolmentID("e-ada"), LineID("l1"), value: 80))
        return room
    }

    /// Gives Ada's total a value.
    private func give(
        _ value: JSON, to figure: String, seen: JSONObject = JSONObject(), in room: inout Classroom
    ) throws {
        let id = EnrolmentID("e-ada")
        room.carryOut(
            try room.gradebook.override(
                [RowOverride(id, [figure: value], seen: seen)], reason: "Oral", by: Classroom.teacher,
                at: Classroom.moment, in: room.ground(.rows([id]))
            ).plan)
    }

    /// The record of Ada under the renamed figure, as a move makes it.
    private func moved(_ room: Classroom, under rules: RecordRules) throws -> RecordMove {
        let rows = room.enrolled.map { row in
            (row.enrolment.entry, MarkedRow(row, of: room.snapshot, RowMark(row: 1, restated: 1, programVersion: 1)))
        }
        let linked = LinkedRecord(
            try #require(room.records[RecordID("r-ada")]), rows: Dictionary(uniqueKeysWithValues: rows))
        return try RecordMove(linked, to: rules, judgingClosed: false) {
            try? ClassBook($0.structure, under: room.rules, renamedBy: rules.rules)
        } books: { taught throws(FaultList) in
            try ClassBook(taught.structure, under: rules)
        }
    }

    private func display(_ figure: String, _ content: RecordContent?) throws -> String? {
        try JSON.parse(content?.standing ?? [])["entries"]?["course-ada"]?["figures"]?[figure]?["display"]?.string
    }

    @Test func `a record moves with the value that its row was given, from a closed class, too`() throws {
        var room = try room()
        try give("95", to: "result", in: &room)
        let rules = try Self.rules(Self.after, version: 2)
        #expect(try display("overall", moved(room, under: rules).amendment.full) == "95")
        var head = room.snapshot.head
        head.state = .closed
        room.snapshot = room.snapshot.changed(head, staff: room.snapshot.staff, at: room.snapshot.version)
        #expect(try display("overall", moved(room, under: rules).amendment.full) == "95")
        // Without the former name the closed class would change.
        let gone = try Self.rules(#"overall of module in percent "Overall""#, version: 2)
        #expect(throws: FaultList.self) { try moved(room, under: gone) }
    }

    @Test func `a value that was given under the former name is changed and taken back under either`() throws {
        var room = try room()
        try give("95", to: "result", in: &room)
        let first = room.snapshot.version
        room.otherRules = [try Self.rules(Self.after, version: 2)]
        // The record is still under the first version, and the grid shows the newest names.
        try give("90", to: "overall", seen: ["overall": "95"], in: &room)
        #expect(room.enrolled[0].row.given.figures.mapValues(\.value) == ["result": 90])
        try room.undo(room.snapshot.version)
        #expect(room.enrolled[0].row.given.figures.mapValues(\.value) == ["result": 95])
        let snapshot = try #require(room.records[RecordID("r-ada")])
        let move = try moved(room, under: room.otherRules[0])
        let old = snapshot.head
        let head = RecordHead(
            id: old.id, institution: old.institution, program: old.program, programVersion: 2, student: old.student,
            createdAt: old.createdAt)
        room.records[snapshot.head.id] = RecordSnapshot(
            head: head, epoch: snapshot.epoch, fullVersion: 9, releasedVersion: 9, full: move.amendment.full,
            released: move.amendment.released)
        // An act that changes nothing leaves the row as it is stored.
        try give("95", to: "overall", in: &room)
        try give("85", to: "overall", seen: ["overall": "95"], in: &room)
        #expect(room.enrolled[0].row.given.figures.mapValues(\.value) == ["overall": 85])
        #expect(try display("overall", room.records[RecordID("r-ada")]?.full) == "85")
        // The history tells both sides under the name of today, and the act from before the rename is still undone.
        let told = try JSON.parse(try #require(room.lines.last?.before))["given"]?["figures"]
        #expect(told?.object?.map(\.name) == ["overall"])
        try room.undo(room.snapshot.version)
        #expect(try display("overall", room.records[RecordID("r-ada")]?.full) == "95")
        #expect(try room.undo(first).accepted == 1)
        #expect(room.enrolled[0].row.given.isEmpty)
        #expect(try display("overall", room.records[RecordID("r-ada")]?.full) == "80")
    }

    @Test func `who is at risk is judged by the figure under its new name`() throws {
        let room = try room(risk: ["figure": "result", "bar": "85"])
        let rules = try Self.rules(Self.after, version: 2)
        let book = try ClassBook(room.snapshot.structure, under: rules)
        #expect(book.structure.policy.risk?.target?.figure == "overall")
        #expect(
            try book.risks(of: room.enrolled[0], judged: book.judged(room.enrolled[0])).map(\.text) == [
                "below", "out_of_reach",
            ])
    }
}
