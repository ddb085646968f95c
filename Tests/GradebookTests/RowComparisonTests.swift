import Classes
import Gradebook
import GradingKit
import Records
import RoseHulman
import Shared
import Testing

/// Rows of classes that other rules judge otherwise within.
extension GradebookTests {
    private func rules(_ configuration: JSON, version: Version = 2) throws -> RecordRules {
        RecordRules(
            rules: try InstalledScheme(RoseHulman.self).rulebook(preset: "strict", configuration: configuration),
            programVersion: version, language: .english, newID: { EntryID("new") })
    }

    /// Ada has 82.54 in a course whose weights make 90: without a grade, under strict rules.
    private func ungraded(posting: Bool = false) throws -> Classroom {
        let structure = ClassStructure(
            root: "course", id: Self.root,
            fields: ["title": "Algorithms", "quarter": 1, "year": 2026, "credits": 4])
        var room = try Classroom(structure, InstalledScheme(RoseHulman.self), preset: "strict")
        try room.change(
            .add(kind: "category", in: Self.root, LinePatch(fields: ["category": "exams", "weight": 90])))
        var item = LinePatch(fields: ["title": "Final", "max": 100])
        item.isPostedByHand = posting
        try room.change(.add(kind: "item", in: LineID("l1"), item))
        try room.enrol("ada")
        try room.enter(cell("l2", .number("82.54")))
        return room
    }

    private func linked(_ room: Classroom, _ state: ClassHead.State = .open) throws -> LinkedRecord {
        var head = room.snapshot.head
        head.state = state
        let snapshot = room.snapshot.changed(head, staff: room.snapshot.staff, at: room.snapshot.version)
        let rows = room.enrolled.map { row in
            (row.enrolment.entry, MarkedRow(row, of: snapshot, RowMark(row: 1, restated: 1, programVersion: 1)))
        }
        return LinkedRecord(
            try #require(room.records[RecordID("r-ada")]), rows: Dictionary(uniqueKeysWithValues: rows))
    }

    private func changes(in room: Classroom, by rules: RecordRules) throws -> RowChanges {
        let found = try linked(room).changes(by: RowComparison(from: room.rules.rules, to: rules.rules)) {
            try? ClassBook($0.structure, under: room.rules)
        } to: {
            try? ClassBook($0.structure, under: rules)
        }
        return try #require(found.first)
    }

    @Test func `a rule that changes a category alone is found in the row, by its path`() throws {
        let found = try changes(in: try ungraded(), by: try rules(["grade": ["scale": 1]]))
        #expect(found.entry == EntryID("course-ada"))
        #expect(found.changes.map(\.entry) == [EntryID("l1")])
        #expect(found.changes.map(\.before) == ["82.54"] && found.changes.map(\.after) == ["82.5"])
        #expect(found.names.map(\.first) == ["Algorithms"])
        #expect(try changes(in: try ungraded(), by: try rules(["gpa": ["scale": 1]])).changes.isEmpty)
    }

    @Test func `what differs in a row joins what differs in its record, and is marked in a closed class`() async throws
    {
        let (room, draft) = (try ungraded(), try rules(["grade": ["scale": 1]]))
        let linked = try linked(room, .closed)
        let stored = StoredTree(
            record: RecordID("r-ada"), version: 1, programVersion: 1, tree: linked.snapshot.full.tree,
            standing: linked.snapshot.full.standing)
        let books = { @Sendable (taught: ClassSnapshot, rules: RecordRules) in
            try? ClassBook(taught.structure, under: rules)
        }
        let former = room.rules
        for closed in [[EntryID("course-ada")], []] as [Set<EntryID>] {
            let links = CohortComparison.Links(closed: closed) {
                try linked.links { taught throws(FaultList) in try ClassBook(taught.structure, under: draft) }
            } rows: { comparison in
                try linked.changes(by: RowComparison(comparison)) {
                    books($0, former)
                } to: {
                    books($0, draft)
                }
            }
            let found = try await CohortComparison(from: [1: former.rules], to: draft.rules)
                .compare(stored, linking: links)
            #expect(found.changesClosed == !closed.isEmpty)
            let rows = found.finding.details
            #expect(rows.map { $0["entry"]?.string } == ["l1"] && rows.map { $0["after"]?.string } == ["82.5"])
            #expect(rows.map { $0["closed"] } == [closed.isEmpty ? nil : .bool(true)])
            #expect(rows.first?["path"]?.array?.first?.string == "Algorithms")
        }
    }

    @Test(arguments: [false, true])
    func `lines of a closed class keep a record where it is as its entry does`(isHidden: Bool) throws {
        let (room, rules) = (try ungraded(posting: isHidden), try rules(["grade": ["scale": 1]]))
        func move(_ state: ClassHead.State, judgingClosed: Bool) throws -> RecordMove {
            try RecordMove(try linked(room, state), to: rules, judgingClosed: judgingClosed) {
                try? ClassBook($0.structure, under: room.rules)
            } books: { taught throws(FaultList) in
                try ClassBook(taught.structure, under: rules)
            }
        }
        #expect(faults { _ = try move(.closed, judgingClosed: false) } == ["class_closed "])
        #expect(try move(.closed, judgingClosed: true).amendment.programVersion == 2)
        #expect(try move(.open, judgingClosed: false).amendment.programVersion == 2)
    }
}
