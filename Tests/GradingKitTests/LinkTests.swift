import Testing

@testable import GradingKit

/// Figures that are given instead of computed, rows of classes, and adjusted grades.
@Suite struct LinkTests {
    let rules: Rulebook
    private static let link = ClassLink(classID: "C1", enrolment: "E1")
    private static let unit = EntryID("u1")
    private static let score = EntryID("p1")

    init() throws { rules = try Ledger.rules() }

    /// Units `u1` with parts `p1` and `p2`, and `u2` with `p3`.
    private func record(first: JSON = 8, second: JSON = .null, status: JSON = .null) throws -> RecordTree {
        try rules.storedRecord(
            fields: .null,
            entries: [
                [
                    "id": "u1", "kind": "unit", "fields": ["title": "One"],
                    "children": [
                        ["id": "p1", "kind": "part", "fields": ["score": first, "max": 10]],
                        ["id": "p2", "kind": "part", "status": status, "fields": ["score": second, "max": 10]],
                    ],
                ],
                [
                    "id": "u2", "kind": "unit", "fields": ["title": "Two"],
                    "children": [["id": "p3", "kind": "part", "fields": ["score": 4, "max": 10]]],
                ],
            ])
    }

    private func part(of tree: RecordTree) throws -> RecordTree { try #require(tree.part(of: Self.unit)) }

    private func linked(_ tree: RecordTree, released: GivenFigures? = nil) throws -> RecordTree {
        let given = try rules.given(of: Self.unit, in: try part(of: tree))
        return tree.linking(Self.unit, to: Given(link: Self.link, given, released: released))
    }

    private func text(_ tree: RecordTree) -> [UInt8] { tree.stored(as: "R", of: "P").text }

    private func figures(_ tree: RecordTree) throws -> [String] {
        try rules.standing(of: tree).figures.map { "\($0.name) \($0.current) \($0.floor) \($0.ceiling)" }
    }

    private static let cases: [(String, JSON, JSON)] = [
        ("8", .null, .null), ("0", 10, .null), ("8", 3, "absent"), ("8", .null, "pending"),
    ]

    @Test(arguments: cases)
    func `a link says what its part says, under every assumption`(
        first: String, second: JSON, status: JSON
    ) throws {
        let whole = try record(first: .number(first), second: second, status: status)
        let linked = try linked(whole)
        #expect(linked.entry(Self.unit)?.children.isEmpty == true)
        #expect(try figures(linked) == figures(whole))
    }

    @Test func `a link is stored with exact figures and read back by both readers`() throws {
        let tree = try linked(try record(), released: GivenFigures([:]))
        let bytes = text(tree)
        let json = try JSON.parse(bytes)
        #expect(json["entries"]?.array?.first?["class"] == "C1")
        #expect(json["entries"]?.array?.first?["enrolment"] == "E1")
        var reader = StoredRecordReader(bytes, of: rules.shape)
        let record = reader.record()
        let quick = try #require(record)
        let general = try rules.storedRecord(fields: .null, entries: try #require(json["entries"]))
        #expect(quick.entry(Self.unit) == tree.entry(Self.unit))
        #expect(general.entry(Self.unit) == tree.entry(Self.unit))
        #expect(quick.links.map(\.link) == [Self.link])
        #expect(text(quick) == bytes)
    }

    @Test func `what a class hides is not among what the record can release`() throws {
        let whole = try rules.storedRecord(
            fields: .null,
            entries: [
                [
                    "id": "u1", "kind": "unit", "hidden": true, "fields": ["title": "One"],
                    "children": [["id": "p1", "kind": "part", "fields": ["score": 8, "max": 10]]],
                ],
                [
                    "id": "u2", "kind": "unit", "fields": ["title": "Two"],
                    "children": [["id": "p3", "kind": "part", "hidden": true, "fields": ["score": 4, "max": 10]]],
                ],
            ])
        #expect(whole.outermostHiddenEntries == [Self.unit, EntryID("p3")])
        let linked = try linked(whole)
        #expect(linked.outermostHiddenEntries == [EntryID("p3")])
        #expect(linked.hiddenEntries() == [EntryID("p3")])
    }

    @Test func `the student's link has released figures and tells nothing of the others`() throws {
        let hidden = try record(first: 8, second: 2)
        let seen = try rules.given(of: Self.unit, in: try part(of: try record(first: 8)))
        let tree = try linked(hidden, released: seen)
        #expect(tree.hasHidden)
        let released = tree.released
        #expect(!released.hasHidden)
        #expect(try figures(released) == figures(try linked(try record(first: 8))))
        #expect(try JSON.parse(text(released))["entries"]?.array?.first?["given"]?["released"] == nil)
    }

    @Test func `a link is not written where nothing differs from the full view`() throws {
        let given = try rules.given(of: Self.unit, in: try part(of: try record()))
        #expect(Given(link: Self.link, given, released: given).released == nil)
    }

    @Test func `an assembled record is the record with its parts`() throws {
        let whole = try record(second: 3)
        let assembled = try linked(whole).assembled(links: [Self.unit: try part(of: whole)])
        #expect(assembled.entries == whole.entries)
        #expect(assembled.links.isEmpty)
        #expect(try figures(assembled) == figures(whole))
    }

    @Test func `what people gave an entry stays when its row takes its place`() throws {
        let note = GivenNote(author: "jury", time: "2027-07-03T10:00:00.000Z", reason: "Jury")
        var given = GivenValues()
        given.figures["mark"] = GivenValue(12, note: note)
        let whole = try record(second: 3)
        let decided = try linked(whole).giving(given, to: Self.unit)
        let assembled = decided.assembled(links: [Self.unit: try part(of: whole)])
        #expect(assembled.links.isEmpty)
        #expect(try figures(assembled) == figures(whole.giving(given, to: Self.unit)))
        #expect(try figures(assembled) != figures(whole))
    }

    @Test func `edits of a link, of what would stand in it, and of what holds it are refused`() throws {
        let tree = try linked(try record())
        func faults(_ change: RecordChange) throws -> [String] {
            do {
                _ = try rules.validate([change], of: tree, at: "/changes", by: .staff(author: nil)) { EntryID("n") }
                return []
            } catch let faults as FaultList {
                return faults.faults.map { "\($0.code) \($0.path)" }
            }
        }
        let refused = ["class_entry /changes/0"]
        #expect(try faults(.patch(Self.unit, ["fields": ["title": "X"]])) == refused)
        #expect(try faults(.delete(Self.unit)) == refused)
        #expect(try faults(.add(entry: ["kind": "part", "fields": ["max": 5]], parent: "u1", ref: nil)) == refused)
        #expect(try faults(.patch(EntryID("u2"), ["fields": ["title": "X"]])) == [])
    }

    @Test func `requests cannot bring given figures`() throws {
        for member in ["class", "enrolment", "given", "adjust"] {
            var members = JSONObject()
            members[member] = "x"
            #expect(throws: FaultList.self) {
                try rules.validate(
                    [.patch(EntryID("u2"), members)], of: try record(), at: nil, by: .staff(author: nil)
                ) { EntryID("n") }
            }
        }
    }

    @Test func `a calculation takes what records hold as given`() throws {
        let whole = try record()
        let note = GivenNote(author: "A1", time: "2026-07-03T10:00:00Z", reason: "Jury")
        let name = try #require(rules.standing(of: whole).entry(Self.unit)?.figures.first?.name)
        let decided = whole.giving(GivenValues(figures: [name: GivenValue(19, note: note)]), to: EntryID("u2"))
        for tree in [try linked(whole), decided] {
            let entries = try #require(JSON.parse(text(tree))["entries"]?.array)
            // Members come in any order, and a page leaves out what only the store knows.
            let sent = entries.map { entry in
                var object = JSONObject()
                for name in ["given", "id", "kind", "fields", "class", "enrolment"] { object[name] = entry[name] }
                object["children"] = .array(
                    (entry["children"]?.array ?? []).map {
                        ["id": $0["id"] ?? .null, "kind": "part", "fields": $0["fields"] ?? .null]
                    })
                return JSON.object(object)
            }
            let calculated = try rules.calculation(fields: .null, entries: .array(sent)) { EntryID("n") }
            #expect(try figures(calculated) == figures(tree))
            #expect(
                try rules.standing(of: calculated).entry(Self.unit)?.figures.map(\.current)
                    == rules.standing(of: tree).entry(Self.unit)?.figures.map(\.current))
        }
    }

    @Test func `a calculation refuses what no record holds`() throws {
        func faults(_ members: JSONObject) -> [String] {
            var entry: JSONObject = ["id": "u1", "kind": "unit", "fields": ["title": "One"]]
            for member in members { entry[member.name] = member.value }
            do {
                _ = try rules.calculation(fields: .null, entries: [.object(entry)]) { EntryID("n") }
                return []
            } catch {
                return error.faults.map { "\($0.code.text) \($0.path)" }
            }
        }
        let link: JSONObject = ["class": "C1", "enrolment": "E1"]
        let part: JSON = ["kind": "part", "fields": ["score": 4, "max": 10]]
        #expect(faults(link) == [])
        #expect(faults(["class": 1]) == ["wrong_type /entries/0/class"])
        #expect(faults(["given": 1]) == ["wrong_type /entries/0/given"])
        #expect(
            faults(["given": ["figures": ["average": ["value": .string(String(repeating: "9", count: 99))]]]])
                == ["too_precise /entries/0/given"])
        var filled = link
        filled["children"] = [part]
        #expect(faults(filled) == ["class_entry /entries/0/children"])
    }

    @Test func `what people give counts, and stands beside what is computed`() throws {
        let tree = try record(first: 8, second: 2)
        let name = try #require(rules.standing(of: tree).entry(Self.unit)?.figures.first?.name)
        let computed = try #require(rules.standing(of: tree).entry(Self.unit)?.figures.first?.current)
        let note = GivenNote(author: "A1", time: "2026-07-03T10:00:00Z", reason: "Jury")
        let given = tree.giving(GivenValues(figures: [name: GivenValue(19, note: note)]), to: Self.unit)
        let standing = try rules.standing(of: given, explaining: .all)
        let figure = try #require(standing.entry(Self.unit)?.figures.first)
        #expect(figure.current == .value(19))
        #expect(figure.floor == .value(19))
        #expect(figure.computed?.current == computed)
        #expect(figure.given?.author == "A1")
        for (name, trace) in standing.traces {
            #expect(trace.reevaluated() == standing.figure(name)?.current)
        }
        let trace = try #require(standing.entry(Self.unit)?.traces.first?.trace)
        #expect(trace.children.count == 2)
        #expect(trace.children.last?.state == computed)
        let json = try JSON.parse(standing.json(of: nil, in: .english))
        #expect(json["entries"]?["u1"]?["figures"]?[name]?["given"]?["by"] == "A1")
    }

    @Test func `letters are judged on what is given`() throws {
        let tree = try record(first: 10, second: 10)
        let whole = try rules.standing(of: tree)
        let lettered = try #require(whole.entries.first(where: { $0.isLettered }))
        let figure = try #require(lettered.figures.first(where: { $0.presentation.letters != nil }))
        let note = GivenNote(author: "A1", time: "2026-07-03T10:00:00Z", reason: "Jury")
        let given = tree.giving(GivenValues(figures: [figure.name: GivenValue(0, note: note)]), to: lettered.entry)
        let other = try #require(rules.standing(of: given).entry(lettered.entry))
        #expect(lettered.letter?.label == "good")
        #expect(other.letter?.label == "bad")
    }

    private static let operations: [(GradeAdjustment.Operation, String)] = [
        (.add(-2), "6"), (.scale(Exact(1, over: 2) ?? 0), "4"), (.atLeast(9), "9"), (.atMost(5), "5"),
        (.table([GradeAdjustment.Point(from: 0, to: 2), GradeAdjustment.Point(from: 10, to: 10)]), "42/5"),
        (.table([GradeAdjustment.Point(from: 9, to: 1)]), "1"), (.table([GradeAdjustment.Point(from: 1, to: 3)]), "3"),
    ]

    @Test(arguments: operations)
    func `a grade is adjusted at the leaf, and the trace says so`(
        operation: GradeAdjustment.Operation, expected: String
    ) throws {
        let adjustment = try #require(GradeAdjustment(operation, because: .curve))
        #expect(GradeAdjustment(adjustment.json) == adjustment)
        var draft = RecordDraft(try record(first: 8))
        draft.set(EntryExtra(adjustments: [adjustment]), of: 2)
        let tree = draft.tree
        let run = Run(tree.body, by: rules.compiled, under: .current, recording: TraceRecording())
        let grade = run.quantity(of: Part.score, at: 2)
        #expect(grade.value?.description == expected)
        #expect(grade.trace?.operation == .adjust(adjustment))
        #expect(grade.trace?.children.first?.state == .value(8))
        #expect(grade.trace?.reevaluated() == grade.state)
        // Untraced, and read back, it is the same.
        let plain = Run(tree.body, by: rules.compiled, under: .current).quantity(of: Part.score, at: 2)
        #expect(plain.value == grade.value)
        let again = try rules.storedRecord(text(tree))
        #expect(again.entry(Self.score) == tree.entry(Self.score))
    }

    @Test func `an adjustment of one grade leaves the others of its entry`() throws {
        let adjustment = try #require(GradeAdjustment(.add(-2), because: .late))
        for (field, expected) in [(Part.score.name, "6"), ("resit", "8")] {
            let only = adjustment.only(of: field)
            #expect(GradeAdjustment(only.json) == only)
            var draft = RecordDraft(try record(first: 8))
            draft.set(EntryExtra(adjustments: [only]), of: 2)
            let grade = Run(draft.body, by: rules.compiled, under: .current).quantity(of: Part.score, at: 2)
            #expect(grade.value?.description == expected)
        }
    }

    @Test func `what a status decides is not adjusted`() throws {
        let adjustment = try #require(GradeAdjustment(.add(5), because: .curve))
        var draft = RecordDraft(try record(status: "absent"))
        draft.set(EntryExtra(adjustments: [adjustment]), of: 3)
        #expect(Run(draft.body, by: rules.compiled, under: .current).quantity(of: Part.score, at: 3).value == 0)
    }

    @Test func `an adjustment never lets a better grade become the worse one`() {
        #expect(GradeAdjustment(.scale(-1), because: .curve) == nil)
        #expect(GradeAdjustment(.table([]), because: .curve) == nil)
        for (first, second) in [((5, 1), (5, 2)), ((1, 5), (2, 4))] as [((Exact, Exact), (Exact, Exact))] {
            let points = [first, second].map { GradeAdjustment.Point(from: $0.0, to: $0.1) }
            #expect(GradeAdjustment(.table(points), because: .curve) == nil)
        }
    }

    @Test func `a part is the structure with one student's cells`() throws {
        let structure = try part(of: try record(first: .null))
        let cells: [EntryID: PartCell] = [
            EntryID("p1"): PartCell(["score": .number(9)], visibility: .withheld),
            EntryID("p2"): PartCell(["score": .number(3)], visibility: .released),
        ]
        let part = structure.part(cells, naming: [Self.unit: EntryID("mine")])
        #expect(part.entry(EntryID("mine"))?.children.map(\.id.text) == ["p1", "p2"])
        #expect(try rules.faults(of: part) == [])
        let full = try rules.given(of: EntryID("mine"), in: part)
        let seen = try rules.given(of: EntryID("mine"), in: part.released)
        #expect(full != seen)
        let without = structure.part([EntryID("p2"): PartCell(["score": .number(3)])])
        #expect(try rules.given(of: Self.unit, in: without) == seen)
    }

    @Test func `putting a row into a record checks what the rules say of the entry`() throws {
        let whole = try record(second: 3)
        let given = Given(link: Self.link, try rules.given(of: Self.unit, in: try part(of: whole)))
        let change = try rules.validate(
            links: [.put(Self.unit, of: try part(of: whole), as: given, parent: nil)], of: rules.emptyRecord)
        #expect(change.tree.links.map(\.link) == [Self.link])
        #expect(change.effects == [ChangeEffect(operation: .add, entry: Self.unit)])
        let gone = try rules.validate(links: [.remove(Self.unit)], of: change.tree)
        #expect(gone.tree.count == 0)
        #expect(gone.tree.body.extras.isEmpty)
        // The ledger takes three units.
        var full = rules.emptyRecord
        for number in 1...3 {
            full = try rules.validate(
                [.add(entry: ["kind": "unit", "fields": ["title": .string("T\(number)")]], parent: nil, ref: nil)],
                of: full, at: nil,
                by: .student
            ) { EntryID("x\(number)") }.tree
        }
        #expect(throws: FaultList.self) {
            try rules.validate(
                links: [.put(Self.unit, of: try part(of: whole), as: given, parent: nil)], of: full)
        }
    }
}
