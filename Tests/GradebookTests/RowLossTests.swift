import Classes
import Gradebook
import GradingKit
import Records
import Regulations
import Shared
import Testing

/// What a row has for which other rules have no place.
@Suite struct RowLossTests {
    private static let root = LineID("l0")

    /// Modules of examinations, where each student may have a delay, a resit and a lode.
    private static func rules(
        own fields: [String], figure: String = "result", was names: String? = nil
    ) throws -> Rulebook {
        let text = """
            regulation lost "Lost" language 1
            rounding whole half up, 0 decimals, judged as shown
            entry module "Module"
                title text
            entry exam in module "Examination" statuses excused, absent
                title text
                mark grade in percent
            \(fields.map { "    \($0)" }.joined(separator: "\n"))
            figure \(figure) of module in percent "Result" \(names.map { "was \($0)" } ?? "") shown by whole = mean of mark over exam otherwise ungraded
            """
        let document = "# Lost\n\n```rules\n\(text)\n```\n"
        return try #require(Regulation(Array(document.utf8)).rulebook)
    }

    private static let all = ["late number optional per student", "praised yes/no optional per student"]

    /// Ada has 80 in an examination, two days late and praised.
    private func room() throws -> Classroom {
        var room = Classroom(
            ClassStructure(root: "module", id: Self.root, fields: ["title": "Logic"]), try Self.rules(own: Self.all))
        try room.change(.add(kind: "exam", in: Self.root, LinePatch(fields: ["title": "Essay"])))
        try room.enrol("ada")
        room.enrolled[0].row[1] = ClassCell(["mark": .number(80), "late": .number(2), "praised": .flag(true)])
        return room
    }

    private func lost(_ room: Classroom, under rulebook: Rulebook) throws -> [LostValue] {
        let rows = room.enrolled.map { row in
            (
                row.enrolment.entry,
                MarkedRow(row, of: room.snapshot, RowMark(row: 1, restated: 1, programVersion: 1))
            )
        }
        let linked = LinkedRecord(
            try #require(room.records[RecordID("r-ada")]), rows: Dictionary(uniqueKeysWithValues: rows))
        let rules = RecordRules(rules: rulebook, programVersion: 2, language: .english, newID: { EntryID("new") })
        let found = try linked.changes(by: RowComparison(from: room.rules.rules, to: rulebook)) {
            try? ClassBook($0.structure, under: room.rules)
        } to: {
            try? ClassBook($0.structure, under: rules)
        }
        return try #require(found.first).lost
    }

    @Test func `a value whose field goes is lost, by the names of its line`() throws {
        let lost = try lost(room(), under: Self.rules(own: [Self.all[1]]))
        #expect(lost.map(\.loss) == [RecordLoss(entry: EntryID("l1"), field: "late", value: "2")])
        #expect(lost.map(\.path) == [["Logic", "Essay"]])
    }

    @Test func `a figure of the total that somebody gave is lost with its name`() throws {
        var room = try room()
        let note = GivenNote(author: "a", time: "2026-07-03T10:00:00Z", reason: "Appeal")
        room.enrolled[0].row.given = GivenValues(figures: ["result": GivenValue(90, note: note)])
        let lost = try lost(room, under: Self.rules(own: Self.all, figure: "overall"))
        #expect(lost.map(\.loss) == [RecordLoss(entry: EntryID("course-ada"), field: "result", value: "90")])
    }

    @Test
    func `a figure of the total that was renamed keeps what somebody gave, and another one of its name takes nothing`()
        throws
    {
        var room = try room()
        let note = GivenNote(author: "a", time: "2026-07-03T10:00:00Z", reason: "Appeal")
        room.enrolled[0].row.given = GivenValues(figures: ["result": GivenValue(90, note: note)])
        let renamed = try Self.rules(own: Self.all, figure: "overall", was: "result")
        #expect(try lost(room, under: renamed).map(\.loss) == [])
        let rules = RecordRules(rules: renamed, programVersion: 2, language: .english, newID: { EntryID("new") })
        let book = try ClassBook(room.snapshot.structure, under: rules)
        #expect(try book.judged(room.enrolled[0]).given.full.figures["overall"] == GivenFigure(.value(90)))
        // Rows keep the names under which they were given. The next version has `result` for another figure.
        var later = Classroom(room.snapshot.structure, renamed)
        (later.enrolled, later.records) = (room.enrolled, room.records)
        let lost = try lost(later, under: Self.rules(own: Self.all, figure: "result"))
        #expect(lost.map(\.loss) == [RecordLoss(entry: EntryID("course-ada"), field: "result", value: "90")])
        #expect(try self.lost(later, under: Self.rules(own: Self.all, figure: "final", was: "overall, result")).isEmpty)
        #expect(try self.lost(later, under: Self.rules(own: Self.all, figure: "final", was: "overall")).count == 1)
        // A record that stays behind may have a row that was given under a later name.
        var newer = room
        newer.enrolled[0].row.given = GivenValues(figures: ["overall": GivenValue(70, note: note)])
        let behind = try ClassBook(newer.snapshot.structure, under: newer.rules, renamedBy: renamed)
        #expect(try behind.judged(newer.enrolled[0]).given.full.figures["result"] == GivenFigure(.value(70)))
        #expect(behind.newestName(of: "result") == "overall")
    }

    @Test func `rules that have or rename the fields lose nothing`() throws {
        let renamed = ["delay number optional per student was late", Self.all[1]]
        for fields in [Self.all, renamed] {
            let lost = try lost(room(), under: Self.rules(own: fields))
            #expect(lost.map(\.loss) == [])
        }
    }

    @Test(arguments: ["late yes/no optional per student", "late number optional"])
    func `a value that a field no longer takes is lost`(field: String) throws {
        let lost = try lost(room(), under: Self.rules(own: [field, Self.all[1]]))
        #expect(lost.map(\.loss) == [RecordLoss(entry: EntryID("l1"), field: "late", value: "2")])
    }

    @Test func `of two fields that become one, the first name counts and the other value is lost`() throws {
        let fields = Self.all + ["later number optional per student"]
        var room = Classroom(
            ClassStructure(root: "module", id: Self.root, fields: ["title": "Logic"]), try Self.rules(own: fields))
        try room.change(.add(kind: "exam", in: Self.root, LinePatch(fields: ["title": "Essay"])))
        try room.enrol("ada")
        let cell = ClassCell(["mark": .number(80), "late": .number(2), "later": .number(9)])
        room.enrolled[0].row[1] = cell
        for (names, kept, gone) in [("late, later", 2, "later"), ("later, late", 9, "late")]
            as [(String, Exact, String)]
        {
            let draft = try Self.rules(own: ["slow number optional per student was \(names)", Self.all[1]])
            #expect(try lost(room, under: draft).map(\.loss.field) == [gone])
            let rules = RecordRules(rules: draft, programVersion: 2, language: .english, newID: { EntryID("new") })
            let column = try #require(ClassBook(room.snapshot.structure, under: rules).columns[1])
            // The same each time, whatever the order in which the values are kept.
            for _ in 0..<20 {
                let fresh = ClassCell(Dictionary(uniqueKeysWithValues: cell.values.shuffled()))
                #expect(column.named(fresh).values == ["mark": .number(80), "slow": .number(kept)])
            }
        }
    }

    @Test func `what the rules in force do not show is not lost once more`() throws {
        var room = try room()
        room.enrolled[0].row[1].values["bonus"] = .number(1)
        let lost = try lost(room, under: Self.rules(own: Self.all))
        #expect(lost.map(\.loss) == [])
    }
}
