import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Testing

/// Which students of a class are at risk.
extension GradebookTests {
    private func rules(_ json: JSON) throws -> StructureChange {
        .policy(try WorkPolicy(["risk": json], at: "/policy"), keeping: [.late, .missing, .low])
    }

    /// Ada has 80 in the exam (60 %) and nothing else yet; Bob has everything, 40 in all.
    private func room() throws -> Classroom {
        var room = try course()
        for name in ["ada", "bob"] { try room.enrol(name) }
        try room.enter(cell("l3", 80))
        try room.enter(
            CellChange(EnrolmentID("e-bob"), LineID("l3"), value: 40),
            CellChange(EnrolmentID("e-bob"), LineID("l4"), value: 4),
            CellChange(EnrolmentID("e-bob"), LineID("l5"), value: 4))
        return room
    }

    private func risks(of name: String, in room: Classroom) throws -> [String] {
        let row = try #require(room.enrolled.first { $0.enrolment.id.text == "e-\(name)" })
        let book = try ClassBook(room.snapshot.structure, under: room.rules)
        return try book.risks(of: row, judged: book.judged(row)).map(\.text)
    }

    @Test(
        arguments: [
            (["figure": "grade", "bar": "60"], [], ["below", "out_of_reach"]),
            (["figure": "grade", "bar": "40"], [], []),
            (["figure": "grade", "bar": "81", "outOfReach": false], ["below"], ["below"]),
            (["figure": "grade", "bar": "89", "below": false], ["out_of_reach"], ["out_of_reach"]),
            // With 70 % in the labs Ada would have 48 + 28.
            (["figure": "grade", "bar": "76", "below": false, "share": 70], [], ["out_of_reach", "needs_more"]),
            (
                ["figure": "grade", "bar": "76.01", "below": false, "share": 70], ["needs_more"],
                ["out_of_reach", "needs_more"]
            ),
        ] as [(JSON, [String], [String])])
    func `a student is at risk by the total as it is, as it can become, and with a share of what is left`(
        _ json: JSON, _ ada: [String], _ bob: [String]
    ) throws {
        var room = try room()
        try room.change(try rules(json))
        #expect(try risks(of: "ada", in: room) == ada)
        #expect(try risks(of: "bob", in: room) == bob)
        #expect(ClassStructure(text: room.snapshot.structure.text) == room.snapshot.structure)
    }

    @Test func `missing work is counted, and what stands as a result is not`() throws {
        var room = try room()
        try room.change(try rules(["missing": 2]))
        for line in ["l4", "l5"] {
            #expect(try risks(of: "ada", in: room) == [])
            try room.enter(CellChange(Self.ada, LineID(line), status: "missing"))
        }
        #expect(try risks(of: "ada", in: room) == ["missing:2"])
        try room.enter(cell("l4", 3))
        #expect(try risks(of: "ada", in: room) == [])
    }

    @Test func `rules are rehearsed and undone with the structure, beside what late work counts for`() throws {
        var room = try room()
        try room.change(.policy(WorkPolicy(lateness: .init(20, per: .once)), keeping: [.missing, .risk, .low]))
        let before = room.snapshot.structure.policy
        let change = try rules(["figure": "grade", "bar": 60])
        let rehearsal = try room.gradebook.rehearse([change], newID: { LineID("x") }, in: room.ground())
        #expect(rehearsal.rows.map(\.isAtRisk.before) == [false, false])
        #expect(rehearsal.rows.map(\.isAtRisk.after) == [false, true])
        try room.change(change)
        #expect(room.snapshot.structure.policy.lateness == before.lateness)
        #expect(try risks(of: "bob", in: room) == ["below", "out_of_reach"])
        try room.undo(room.snapshot.version)
        #expect(room.snapshot.structure.policy == before)
        #expect(try risks(of: "bob", in: room) == [])
    }

    @Test(
        arguments: [
            (["figure": "luck", "bar": 1], ["unknown_field /changes/0/policy/risk/figure"]),
            (["figure": "grade"], ["missing_field /policy/risk/bar"]),
            (["figure": "grade", "bar": "x"], ["not_a_number /policy/risk/bar"]),
            (["missing": 0], ["out_of_range /policy/risk/missing"]),
            (["figure": "grade", "bar": 1, "share": 101], ["out_of_range /policy/risk/share"]),
            (
                ["figure": "", "bar": 1, "luck": 1],
                ["wrong_type /policy/risk/figure", "unknown_field /policy/risk/luck"]
            ),
        ] as [(JSON, [String])])
    func `rules that mean nothing are refused with all faults at once`(_ json: JSON, _ faults: [String]) throws {
        var room = try room()
        do {
            try room.change(try rules(json))
            Issue.record("taken")
        } catch let found as FaultList {
            #expect(found.faults.map { "\($0.code.text) \($0.path)" } == faults)
        }
    }
    @Test func `a share below which results are low is kept, changed and removed by itself`() throws {
        var room = try room()
        func low(_ json: JSON) throws -> StructureChange {
            .policy(try WorkPolicy(["low": json], at: "/policy"), keeping: [.late, .missing, .risk])
        }
        try room.change(try rules(["missing": 3]))
        try room.change(try low("49.5"))
        #expect(room.snapshot.structure.policy.json["low"]?.string == "49.5")
        #expect(room.snapshot.structure.policy.risk != nil)
        try room.change(try rules(.null))
        #expect(room.snapshot.structure.policy == WorkPolicy(low: DecimalText("49.5")?.value))
        try room.change(try low(.null))
        #expect(room.snapshot.structure.policy == WorkPolicy())
    }

    @Test(
        arguments: [
            (0, "out_of_range"), ("100.01", "out_of_range"), ("50.001", "not_a_number"), ([], "not_a_number"),
        ] as [(JSON, String)])
    func `a share of no scale is refused`(_ json: JSON, _ code: String) {
        let refusal = #expect(throws: FaultList.self) { try WorkPolicy(["low": json], at: "/policy") }
        #expect(refusal?.faults.map { "\($0.code.text) \($0.path)" } == ["\(code) /policy/low"])
    }
}
