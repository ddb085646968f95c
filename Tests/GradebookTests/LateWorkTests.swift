import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// What late and missing work counts for.
extension GradebookTests {
    private static let day = 24 * 60

    private func late(
        _ share: Exact, per period: WorkPolicy.Lateness.Period = .day, grace: Int = 0, floor: Exact = 0,
        cap: Exact = 100
    ) -> StructureChange {
        .policy(WorkPolicy(lateness: .init(share, per: period, grace: grace, floor: floor, cap: cap)))
    }

    private func delayed(_ line: String, _ value: JSON?, by minutes: Int) -> CellChange {
        var change = CellChange(Self.ada, LineID(line), value: value)
        change.late = .number(String(minutes))
        return change
    }

    private func missing(_ line: String, seen: CellChange.Seen? = nil) -> CellChange {
        CellChange(Self.ada, LineID(line), status: "missing", seen: seen)
    }

    /// The course with results of 100 % in both categories, so that a deduction stands alone.
    private func full() throws -> Classroom {
        var room = try course()
        try room.enrol("ada")
        try room.enter(cell("l3", 80), cell("l4", 10), cell("l5", 10))
        return room
    }

    /// What is adjusted in the explanation of the grade, as one view shows it.
    private func adjustments(of room: Classroom, _ view: RecordView) throws -> [JSON] {
        let explained = try JSON.parse(room.assembled("ada", view).explanation(.named(["grade"])))
        return explained["traces"]?["nodes"]?.array?.filter { $0["op"] == "adjust" } ?? []
    }

    @Test(arguments: [Status.excused, .absent, .pending])
    func `of a result with a status nothing is said to count in its place`(_ status: Status) throws {
        var room = try full()
        try room.change(late(10))
        let column = try #require(ClassBook(room.snapshot.structure, under: room.rules).columns[3])
        var cell = ClassCell(["score": .number(80)], late: Self.day)
        let policy = room.snapshot.structure.policy
        #expect(column.note(cell, under: policy)?.counts == 70)
        cell.status = status
        #expect(column.note(cell, under: policy) == nil)
    }

    @Test func `late work loses a share of the scale for each day begun`() throws {
        var room = try full()
        #expect(try room.display("grade", "ada") == "88.00")
        try room.enter(delayed("l3", nil, by: Self.day + 1))
        // Without a policy a mark is a mark.
        #expect(try room.display("grade", "ada") == "88.00")
        try room.change(late(10))
        // Two days begun: 80 - 20 of 100, which are 60 % of the grade.
        #expect(try room.display("grade", "ada") == "76.00")
        try room.enter(delayed("l3", nil, by: Self.day))
        #expect(try room.display("grade", "ada") == "82.00")
        try room.enter(delayed("l3", nil, by: 0))
        #expect(room.enrolled[0].row[3].late == nil)
        #expect(try room.display("grade", "ada") == "88.00")
    }

    /// An entry as a request for a calculation has it.
    private static func sent(_ entry: JSON) -> JSON {
        var members: JSONObject = ["children": .array((entry["children"]?.array ?? []).map(sent))]
        for name in ["id", "kind", "status", "adjust", "fields"] { members[name] = entry[name] }
        return .object(members)
    }

    @Test func `a calculation with the lines of a class comes to the record's figures`() throws {
        var room = try full()
        try room.change(late(10))
        try room.enter(delayed("l3", nil, by: Self.day + 1))
        let whole = try JSON.parse(room.assembled("ada").document())
        func figures(_ entries: JSON) throws -> JSON? {
            let tree = try room.rules.rules.calculation(
                fields: .null, entries: .array((entries.array ?? []).map(Self.sent))
            ) { EntryID("x") }
            let snapshot = try #require(room.records[RecordID("r-ada")])
            return try JSON.parse(room.rules.standing(of: tree, head: snapshot.head))["figures"]
        }
        let entries = try #require(whole["record"]?["entries"])
        #expect(try figures(entries) == room.standing("ada")["figures"])
        // A number that is longer than any of a class is refused before it is read.
        let long: JSON = ["op": "add", "value": .string(String(repeating: "9", count: 4_000)), "why": "curve"]
        let item: JSON = ["kind": "item", "fields": [:], "adjust": [long]]
        let nested: JSON = [
            "kind": "course", "fields": [:], "children": [["kind": "category", "fields": [:], "children": [item]]],
        ]
        #expect(faults { _ = try figures([nested]) }.contains("too_precise /entries/0/children/0/children/0/adjust"))
        // More than classes do to one grade is refused before it is read.
        var greedy = try #require(entries.array?.first?["children"]?.array?.first?["children"]?.array?.first?.object)
        greedy["adjust"] = .array(Array(repeating: greedy["adjust"]?.array?.first ?? .null, count: 9))
        #expect(
            faults {
                _ = try figures([
                    [
                        "kind": "course", "fields": [:],
                        "children": [["kind": "category", "fields": [:], "children": [.object(greedy)]]],
                    ]
                ])
            }
            .contains("entry_limit /entries/0/children/0/children/0/adjust"))
    }

    @Test(
        arguments: [
            (.init(10, per: .day), 1, 10), (.init(10, per: .day), 1440, 10),
            (.init(10, per: .day), 1441, 20), (.init(10, per: .day), 527_040, 100),
            (.init(1, per: .hour), 61, 2), (.init(1, per: .hour, cap: 12), 6_000, 12),
            (.init(15, per: .once), 1, 15), (.init(15, per: .once), 90_000, 15),
            (.init(10, per: .day, grace: 15), 15, 0), (.init(10, per: .day, grace: 15), 16, 10),
            (.init(10, per: .day, grace: 15), 1441, 20),
        ] as [(WorkPolicy.Lateness, Int, Exact)])
    func `what is lost follows from the minutes`(_ rule: WorkPolicy.Lateness, _ minutes: Int, _ loss: Exact) {
        #expect(rule.loss(after: minutes) == loss)
    }

    @Test func `lateness takes nothing below the floor, and lifts no result to it`() throws {
        var room = try full()
        try room.change(late(50, floor: 40))
        try room.enter(delayed("l3", 80, by: 1))
        #expect(try room.display("grade", "ada") == "64.00")
        try room.enter(delayed("l3", 30, by: 1))
        #expect(try room.display("grade", "ada") == "58.00")
        try room.enter(delayed("l3", 100, by: 1))
        #expect(try room.display("grade", "ada") == "70.00")
    }

    @Test func `missing work counts as the class says, and a result takes the mark away`() throws {
        var room = try full()
        try room.enter(cell("l3", .null))
        try room.enter(missing("l3"))
        #expect(room.enrolled[0].row[3].isMissing)
        #expect(try room.display("grade", "ada") == "100.00")
        try room.change(.policy(WorkPolicy(absence: .init(share: 0))))
        #expect(try room.display("grade", "ada") == "40.00")
        try room.change(.policy(WorkPolicy(absence: .init(share: Exact(25)))))
        #expect(try room.display("grade", "ada") == "55.00")
        // What is tried in its place counts as it is; another change leaves it missing.
        func tried(_ patch: JSONObject) throws -> JSON? {
            let preview = try room.assembled("ada").preview([.patch(EntryID("l3"), patch)])
            return try JSON.parse(preview)["entries"]?["course-ada"]?["figures"]?["grade"]?["display"]
        }
        #expect(try tried(["fields": ["score": 50]]) == "70.00")
        #expect(try tried(["fields": ["title": "Final"]]) == "55.00")
        // Nothing was entered in the place of the result.
        #expect(room.enrolled[0].row[3].values.isEmpty)
        try room.enter(cell("l3", 50, seen: CellChange.Seen(value: .null, status: "missing")))
        #expect(!room.enrolled[0].row[3].isMissing)
        #expect(try room.display("grade", "ada") == "70.00")
        #expect(faults { try room.enter(missing("l3")) } == ["result_entered /cells/0/status"])
        try room.enter(CellChange(Self.ada, LineID("l3"), value: .null, status: "missing"))
        try room.enter(CellChange(Self.ada, LineID("l3"), status: "excused"))
        #expect(!room.enrolled[0].row[3].isMissing)
    }

    @Test func `marks and policy are undone, and a rehearsal of the policy changes nothing`() throws {
        var room = try full()
        let rows = try room.gradebook.rehearse([late(10)], newID: { LineID("") }, in: room.ground()).rows
        #expect(rows.map { $0.after?.displays["grade"] } == ["88.00"])
        try room.enter(delayed("l3", nil, by: 1))
        let marked = room.snapshot.version
        let next = try room.gradebook.rehearse([late(10)], newID: { LineID("") }, in: room.ground()).rows
        #expect(next.map { $0.before?.displays["grade"] } == ["88.00"])
        #expect(next.map { $0.after?.displays["grade"] } == ["82.00"])
        try room.change(late(10))
        let settled = room.snapshot.version
        #expect(try room.display("grade", "ada") == "82.00")
        try room.undo(settled)
        #expect(room.snapshot.structure.policy == WorkPolicy())
        #expect(try room.display("grade", "ada") == "88.00")
        try room.undo(marked)
        #expect(room.enrolled[0].row[3].late == nil)
    }

    @Test func `the deduction is a line of the explanation, and a hidden result tells nothing of it`() throws {
        var room = try full()
        try room.change(late(10))
        try room.enter(delayed("l3", nil, by: 1))
        #expect(try adjustments(of: room, .full).map { $0["adjust"]?["why"] } == ["late"])
        #expect(try adjustments(of: room, .full).map { $0["value"] } == ["70"])
        var byHand = LinePatch()
        byHand.isPostedByHand = true
        try room.change(.patch(LineID("l3"), byHand))
        #expect(try room.display("grade", "ada", .released) == "100.00")
        #expect(try adjustments(of: room, .released).isEmpty)
    }

    @Test func `a policy is read with all faults at once and written as it was read`() throws {
        let json: JSON = [
            "late": ["percent": "2.5", "per": "hour", "grace": 15, "floor": "40", "cap": 50], "missing": ["percent": 0],
        ]
        let policy = try WorkPolicy(json, at: "/policy")
        #expect(policy.lateness == .init(Exact(5, over: 2) ?? 0, per: .hour, grace: 15, floor: 40, cap: 50))
        #expect(policy.absence.share == 0)
        #expect(try WorkPolicy(policy.json, at: "") == policy)
        let wrong: JSON = [
            "late": ["percent": 0, "per": "week", "grace": -1, "floor": 101, "cap": "1.234", "x": 1],
            "missing": ["percent": "a lot"], "y": 1,
        ]
        #expect(
            Set(faults { _ = try WorkPolicy(wrong, at: "/p") }) == [
                "unknown_field /p/y", "not_a_number /p/missing/percent", "unknown_field /p/late/x",
                "out_of_range /p/late/percent", "out_of_range /p/late/per", "out_of_range /p/late/grace",
                "out_of_range /p/late/floor", "not_a_number /p/late/cap",
            ])
        #expect(
            faults { _ = try WorkPolicy(["late": [:]], at: "/p") }.sorted() == [
                "missing_field /p/late/per", "missing_field /p/late/percent",
            ])
    }

    @Test func `delays have bounds, and cells are stored as they were`() throws {
        var room = try full()
        for minutes in [-1, WorkPolicy.greatestDelay + 1, .max] {
            #expect(faults { try room.enter(delayed("l3", nil, by: minutes)) } == ["out_of_range /cells/0/late"])
        }
        let cell = ClassCell(["score": .number(3)], isHeldBack: true, late: WorkPolicy.greatestDelay)
        #expect(ClassCell(cell.json) == cell)
        #expect(ClassCell(ClassCell(isMissing: true).json) == ClassCell(isMissing: true))
        try room.change(late(10, cap: 30))
        let structure = room.snapshot.structure
        #expect(ClassStructure(text: structure.text) == structure)
    }
}
