import Testing

@testable import GradingKit

/// What people give beside the computed figures and outcomes.
@Suite struct GivingTests {
    let rules: Rulebook
    private static let unit = EntryID("u1")
    private static let jury = GivingAuthor(account: "A1", time: "2026-07-03T10:00:00Z")

    init() throws { rules = try Ledger.rules() }

    private func record(first: JSON = 8, isHidden: JSON = false) throws -> RecordTree {
        try rules.storedRecord(
            fields: ["prior": 3],
            entries: [
                [
                    "id": "u1", "kind": "unit", "hidden": isHidden, "fields": ["title": "One"],
                    "children": [["id": "p1", "kind": "part", "fields": ["score": first, "max": 10]]],
                ],
                [
                    "id": "u2", "kind": "unit", "fields": ["title": "Two"],
                    "children": [["id": "p3", "kind": "part", "fields": ["score": 4, "max": 10]]],
                ],
            ])
    }

    private func apply(
        _ changes: [RecordChange], to tree: RecordTree,
        by writer: RecordWriter = .staff(author: "A1", giving: Self.jury)
    ) throws -> ValidatedChange {
        try rules.validate(changes, of: tree, at: "/changes", by: writer) { EntryID("n") }
    }

    private func faults(
        _ change: RecordChange, of tree: RecordTree? = nil,
        by writer: RecordWriter = .staff(author: "A1", giving: Self.jury)
    ) throws -> [String] {
        do {
            _ = try apply([change], to: try tree ?? record(), by: writer)
            return []
        } catch let faults as FaultList {
            return faults.faults.map { "\($0.code) \($0.path)" }
        }
    }

    private func mark(_ value: JSON) -> JSONObject {
        ["given": ["figures": ["mark": value]], "reason": "Jury of 3 July"]
    }

    private func text(_ tree: RecordTree) -> String {
        String(decoding: tree.stored(as: "R", of: "P").text, as: UTF8.self)
    }

    private func standing(_ tree: RecordTree) throws -> JSON {
        try JSON.parse(rules.standing(of: tree).json(of: nil, in: .english))
    }

    @Test func `a given figure counts from there upwards, and stands beside the computed one`() throws {
        let change = try apply([.patch(Self.unit, mark("12,5"))], to: try record())
        #expect(change.reasons == ["Jury of 3 July"])
        #expect(change.effects == [ChangeEffect(operation: .give, entry: Self.unit)])
        let standing = try standing(change.tree)
        let figure = standing["entries"]?["u1"]?["figures"]?["mark"]
        #expect(figure?["display"] == "12.50" && figure?["floor"] == "12.50" && figure?["ceiling"] == "12.50")
        #expect(
            figure?["given"] == ["by": "A1", "at": "2026-07-03T10:00:00Z", "reason": "Jury of 3 July"])
        #expect(figure?["computed"]?["display"] == "16.00")
        #expect(standing["figures"]?["mean"]?["display"] == "10.25")
    }

    @Test func `a given outcome is final, and what would be decided stands beside it`() throws {
        let members: JSONObject = ["given": ["outcomes": ["passed": "unmet"]], "reason": "Fraud"]
        let change = try apply([.record(members)], to: try record())
        #expect(change.effects == [ChangeEffect(operation: .give, entry: nil)])
        let passed = try standing(change.tree)["outcomes"]?["passed"]
        #expect(passed?["state"] == "unmet" && passed?["final"] == true && passed?["reasons"] == [])
        #expect(passed?["given"]?["reason"] == "Fraud" && passed?["computed"]?["state"] == "met")
        let back = try apply(
            [.record(["given": ["outcomes": ["passed": nil]], "reason": "Appeal"])], to: change.tree)
        #expect(try text(back.tree) == text(record()))
        #expect(back.reasons == ["Appeal"])
    }

    @Test func `what is taken back leaves the record and its standing as they were`() throws {
        let before = try record()
        let given = try apply([.patch(Self.unit, mark(3)), .patch(EntryID("u2"), mark(4))], to: before).tree
        let back = try apply([.patch(Self.unit, mark(nil)), .patch(EntryID("u2"), mark(nil))], to: given).tree
        #expect(text(back) == text(before))
        #expect(try standing(back) == standing(before))
    }

    @Test func `the stored text is read back by both readers, in both views`() throws {
        let members: JSONObject = [
            "given": ["figures": ["mean": 11], "outcomes": ["passed": "met"]], "reason": "A \"jury\" — été 2026",
        ]
        let given = try apply([.patch(Self.unit, mark(3)), .record(members)], to: try record()).tree
        for tree in [given, given.released] {
            let text = tree.stored(as: "R", of: "P").text
            let json = try JSON.parse(text)
            let general = try rules.storedRecord(
                fields: json["fields"] ?? .null, given: json["given"] ?? .null, entries: json["entries"] ?? .null)
            for again in [try rules.storedRecord(text), general] {
                #expect(self.text(again) == self.text(tree))
                #expect(try standing(again) == standing(tree))
            }
        }
    }

    @Test func `the student sees who gave what and when, and not why`() throws {
        let given = try apply([.patch(Self.unit, mark(3))], to: try record()).tree
        #expect(given.hasHidden && !given.released.hasHidden)
        let seen = text(given.released)
        #expect(seen.contains("\"given\":{\"figures\":{\"mark\":{\"value\":\"3\",\"by\":\"A1\""))
        #expect(!seen.contains("reason") && !seen.contains("computed") && !seen.contains("Jury"))
        let figure = try standing(given.released)["entries"]?["u1"]?["figures"]?["mark"]
        #expect(figure?["given"] == ["by": "A1", "at": "2026-07-03T10:00:00Z"])
        #expect(figure?["computed"]?["display"] == "16.00")
        #expect(given.authors == ["A1"])
    }

    @Test func `what is given hidden leaves the student with what was there until it is released`() throws {
        let first = try apply([.patch(Self.unit, mark(3))], to: try record()).tree
        var members = mark(5)
        members["hidden"] = true
        let hidden = try apply([.patch(Self.unit, members)], to: first).tree
        #expect(try standing(hidden)["entries"]?["u1"]?["figures"]?["mark"]?["display"] == "5.00")
        #expect(text(hidden.released) == text(first.released))
        let again = try rules.storedRecord(hidden.stored(as: "R", of: "P").text)
        #expect(text(again.released) == text(first.released))
        let shown = try apply([.patch(Self.unit, ["hidden": false])], to: again).tree
        #expect(try standing(shown.released)["entries"]?["u1"]?["figures"]?["mark"]?["display"] == "5.00")
    }

    @Test func `staff are told when what is computed has changed since`() throws {
        let members: JSONObject = ["given": ["outcomes": ["passed": "unmet"]], "reason": "Fraud"]
        let given = try apply([.patch(Self.unit, mark(15)), .record(members)], to: try record()).tree
        #expect(try rules.standing(of: given).warnings.isEmpty)
        let changed = try apply(
            [.patch(EntryID("p1"), ["fields": ["score": 2]]), .patch(EntryID("u2"), mark(0))], to: given
        ).tree
        let warnings = try rules.standing(of: changed).warnings
        #expect(warnings.map(\.code) == [.givenOutdated, .givenOutdated])
        #expect(warnings.map(\.entry) == [nil, Self.unit])
        #expect(
            warnings.map(\.arguments) == [
                ["outcome": "passed", "before": "met", "after": "unmet"],
                ["figure": "mark", "before": "16", "after": "4"],
            ])
        #expect(try rules.standing(of: changed.released).warnings.isEmpty)
        let confirmed = try apply([.patch(Self.unit, mark(15)), .record(members)], to: changed).tree
        #expect(try rules.standing(of: confirmed).warnings.isEmpty)
    }

    private static let refused: [(JSONObject, [String])] = [
        (["given": ["figures": ["mark": 3]]], ["missing_field /changes/0/reason"]),
        (["given": ["figures": ["mark": 3]], "reason": " \u{3000}"], ["missing_field /changes/0/reason"]),
        (["given": ["figures": ["mark": 3]], "reason": 3], ["wrong_type /changes/0/reason"]),
        (
            ["given": ["figures": ["mark": 3]], "reason": .string(String(repeating: "é", count: 501))],
            ["out_of_range /changes/0/reason"]
        ),
        (["given": ["figures": ["mark": 3]], "reason": "a\nb"], ["text_invalid /changes/0/reason"]),
        (["reason": "alone"], ["unknown_field /changes/0/reason"]),
        (["given": 3, "reason": "x"], ["wrong_type /changes/0/given"]),
        (["given": ["figures": 3], "reason": "x"], ["wrong_type /changes/0/given/figures"]),
        (["given": ["letters": [:]], "reason": "x"], ["unknown_field /changes/0/given/letters"]),
        (["given": ["figures": ["mean": 3]], "reason": "x"], ["unknown_field /changes/0/given/figures/mean"]),
        (["given": ["figures": ["mean": nil]], "reason": "x"], ["unknown_field /changes/0/given/figures/mean"]),
        (["given": ["figures": ["mark": "x"]], "reason": "x"], ["not_a_number /changes/0/given/figures/mark"]),
        (
            ["given": ["figures": ["mark": "1.23456"]], "reason": "x"],
            ["too_precise /changes/0/given/figures/mark"]
        ),
        (["given": ["figures": ["mark": true]], "reason": "x"], ["wrong_type /changes/0/given/figures/mark"]),
        (
            ["given": ["outcomes": ["passed": "met"]], "reason": "x"],
            ["unknown_field /changes/0/given/outcomes/passed"]
        ),
    ]

    @Test(arguments: refused)
    func `what cannot be given is refused`(members: JSONObject, expected: [String]) throws {
        #expect(try faults(.patch(Self.unit, members)) == expected)
    }

    @Test func `the record itself has fields and what people give, and no more`() throws {
        for name in ["ref", "status", "hidden"] {
            #expect(try faults(.record(["fields": [:], name: "x"])) == ["unknown_field /changes/0/\(name)"])
        }
    }

    @Test func `an outcome is met or unmet`() throws {
        for value: JSON in ["pending", "ADJ", 1] {
            let members: JSONObject = ["given": ["outcomes": ["passed": value]], "reason": "x"]
            #expect(try faults(.record(members)) == ["out_of_range /changes/0/given/outcomes/passed"])
        }
    }

    @Test func `who may not give is refused, and a student does not know the member`() throws {
        #expect(
            try faults(.patch(Self.unit, mark(3)), by: .staff(author: "A2")) == ["giving_not_allowed /changes/0/given"])
        for writer in [RecordWriter.student, .preview(isStaff: true), .preview(isStaff: false)] {
            #expect(
                try faults(.patch(Self.unit, mark(3)), by: writer)
                    == ["unknown_field /changes/0/given", "unknown_field /changes/0/reason"])
            #expect(
                try faults(.record(["given": ["figures": ["mean": 3]], "reason": "x"]), by: writer)
                    == ["unknown_field /changes/0/given", "unknown_field /changes/0/reason"])
        }
        let entry: JSON = ["kind": "unit", "fields": ["title": "New"], "given": [:]]
        #expect(try faults(.add(entry: entry, parent: nil, ref: nil)) == ["unknown_field /changes/0/given"])
    }

    @Test func `a student does not delete what people gave`() throws {
        let given = try apply([.patch(Self.unit, mark(3))], to: try record()).tree
        #expect(try faults(.delete(Self.unit), of: given, by: .student) == ["entered_by_staff /changes/0"])
        #expect(try faults(.delete(EntryID("u2")), of: given, by: .student) == [])
    }

    @Test func `an explanation names the person, and the reason for staff alone`() throws {
        let given = try apply([.patch(Self.unit, mark(3))], to: try record()).tree
        let views: [(RecordTree, JSON?)] = [(given, "Jury of 3 July"), (given.released, .none)]
        for (tree, reason) in views {
            let standing = try rules.standing(of: tree, explaining: .all)
            let nodes = try JSON.parse(standing.json(of: nil, in: .english))["traces"]?["nodes"]?.array ?? []
            let node = try #require(nodes.first { $0["op"] == "given" })
            #expect(node["entry"] == "u1" && node["by"] == "A1" && node["at"] == "2026-07-03T10:00:00Z")
            #expect(node["reason"] == reason && node["value"] == "3")
            for trace in standing.traces {
                #expect(trace.trace.reevaluated() == standing.figure(trace.figure)?.current)
            }
        }
    }

    @Test func `a goal takes what is given as it is`() throws {
        let open = try record(first: nil)
        let given = try apply([.patch(Self.unit, mark(3))], to: open).tree
        let goal = Goal("mean", reaches: .value(6))
        #expect(try rules.answer(to: goal, in: open).status == .reachable)
        #expect(try rules.answer(to: goal, in: given).status == .outOfReach)
        let passed = try apply(
            [.record(["given": ["outcomes": ["passed": "met"]], "reason": "x"])], to: open
        ).tree
        #expect(try rules.answer(to: Goal("passed", reaches: .named("met")), in: passed).status == .alreadySecured)
    }

    @Test func `beside a class people give outcomes, and its figures stay the class's`() throws {
        let rules = try Self.judged()
        let whole = try rules.storedRecord(
            fields: .null,
            entries: [["id": "u1", "kind": "unit", "fields": ["title": "One", "mark": 8]]])
        let link = ClassLink(classID: "C1", enrolment: "E1")
        let figures = try rules.given(of: Self.unit, in: try #require(whole.part(of: Self.unit)))
        let linked = whole.linking(Self.unit, to: Given(link: link, figures))
        func apply(_ members: JSONObject, to tree: RecordTree) throws -> RecordTree {
            try rules.validate(
                [.patch(Self.unit, members)], of: tree, at: nil, by: .staff(author: nil, giving: Self.jury)
            ) { EntryID("n") }.tree
        }
        #expect(throws: FaultList([Fault(.classEntry)])) {
            try apply(["given": ["figures": ["mark": 12]], "reason": "x"], to: linked)
        }
        #expect(throws: FaultList([Fault(.classEntry)])) {
            try apply(["given": ["outcomes": ["passed": "met"]], "reason": "x", "hidden": true], to: linked)
        }
        let given = try apply(["given": ["outcomes": ["passed": "met"]], "reason": "x"], to: linked)
        let text = given.stored(as: "R", of: "P").text
        #expect(String(decoding: text, as: UTF8.self).contains("\"enrolment\":\"E1\",\"given\":{\"figures\":{"))
        for tree in [given, try rules.storedRecord(text)] {
            let standing = try rules.standing(of: tree)
            #expect(standing.entry(Self.unit)?.outcomes.first?.decision.state == .met)
            #expect(standing.entry(Self.unit)?.outcomes.first?.computed?.state == .unmet)
            #expect(tree.entry(Self.unit)?.link == link)
        }
        // The class's next act leaves the jury's outcome alone.
        let part = try #require(whole.part(of: Self.unit))
        let acted = try rules.validate(
            links: [.put(Self.unit, of: part, as: Given(link: link, figures), parent: nil)], of: given
        ).tree
        #expect(self.text(acted) == self.text(given))
        let back = try apply(["given": ["outcomes": ["passed": nil]], "reason": "x"], to: given)
        #expect(self.text(back) == self.text(linked))
    }

    /// Units whose mark is recorded, each passed or not.
    private static func judged() throws -> Rulebook {
        func label(_ text: String) -> LocalizedText { LocalizedText(verbatim: text) }
        let rule = FigureRule(.halfUp, scale: 2, compareOn: .displayed)
        let mark = Field<Exact>("mark")
        let unit = KindShape(
            Unit.kind, label("Unit"),
            fields: [.text(Unit.title, label("Title")), .number(mark, label("Mark")).optional().asGrade(best: 20)])
        return Rulebook(scheme: "judged", configuration: .null, shape: RecordShape(kinds: [unit])) { registrar in
            registrar.words(["below": label("Below")])
            registrar.calculate(Unit.mark, of: Unit.kind, Presentation(label("Mark"), rule)) { $0[mark] }
            let bar = Bar(10, judging: rule)
            registrar.decide("passed", of: Unit.kind, label("Passed")) {
                $0.figure(Unit.mark).reaches(bar, orReason: "below")
            }
        }
    }
}
