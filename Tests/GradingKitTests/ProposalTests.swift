import Testing

@testable import GradingKit

@Suite struct ProposalTests {
    let rules: Rulebook

    init() throws { rules = try Ledger.rules() }

    private func apply(
        _ changes: [RecordChange], to tree: RecordTree, isStaff: Bool = false, author: String? = nil,
        at path: String? = "/changes"
    ) throws -> ValidatedChange {
        var made = tree.count
        return try rules.validate(changes, of: tree, at: path, by: isStaff ? .staff(author: author) : .student) {
            made += 1
            return EntryID("n\(made)")
        }
    }

    private func faults(
        _ changes: [RecordChange], of tree: RecordTree, isStaff: Bool = false, at path: String? = "/changes"
    )
        -> [String]
    {
        do {
            _ = try apply(changes, to: tree, isStaff: isStaff, at: path)
            return []
        } catch let faults as FaultList {
            return faults.faults.map { "\($0.code) \($0.path)" }
        } catch {
            return ["\(error)"]
        }
    }

    private func stored(_ entries: JSON) throws -> RecordTree {
        try rules.storedRecord(fields: .null, entries: entries)
    }

    /// Units `u1` and `u2`, the first with part `p1`.
    private var record: RecordTree {
        get throws {
            try stored([
                [
                    "id": "u1", "kind": "unit", "fields": ["title": "One"],
                    "children": [["id": "p1", "kind": "part", "fields": ["score": 8, "max": 10]]],
                ],
                ["id": "u2", "kind": "unit", "fields": ["title": "Two"]],
            ])
        }
    }

    private func unit(_ title: String) -> JSON { ["kind": "unit", "fields": ["title": .string(title)]] }

    @Test func `steps may name what earlier steps made`() throws {
        let change = try apply(
            [
                .add(entry: unit("Three"), parent: nil, ref: "mine"),
                .add(entry: ["kind": "part", "fields": ["max": 5]], parent: "mine", ref: nil),
                .patch(EntryID("mine"), ["fields": ["weight": 2]]),
                .delete(EntryID("u2")),
                .fields(["prior": 4]),
            ], to: try record)
        let made = try #require(change.references["mine"])
        #expect(change.tree.entry(made)?.children.count == 1)
        #expect(change.tree.entry(EntryID("u2")) == nil)
        #expect(change.tree.place(of: made)?.position == 2)
        #expect(change.effects.map(\.operation) == [.add, .add, .patch, .delete, .fields])
        #expect(
            change.effects.map(\.entry) == [
                made, change.tree.entry(made)?.children.first?.id, made, EntryID("u2"), nil,
            ])
    }

    @Test func `a fault is told at the last step that wrote into the entry`() throws {
        let steps: [RecordChange] = [
            .add(entry: unit("Three"), parent: nil, ref: "mine"),
            .patch(EntryID("mine"), ["fields": ["title": "One"]]),
            .delete(EntryID("u2")),
            .add(entry: unit("Four"), parent: nil, ref: nil),
        ]
        #expect(faults(steps, of: try record) == ["twice /changes/1/fields/title"])
    }

    @Test func `fields merge key by key and null clears`() throws {
        let change = try apply([.patch(EntryID("p1"), ["fields": ["score": nil]])], to: try record)
        #expect(change.tree.entry(EntryID("p1"))?.values == [.none, .number(10)])
        #expect(try rules.standing(of: change.tree).figure("mean")?.current == .undefined(.noGrades))
    }

    @Test func `the tree is judged once, after the last step`() throws {
        let swap: [RecordChange] = [
            .patch(EntryID("u1"), ["fields": ["title": "Two"]]), .patch(EntryID("u2"), ["fields": ["title": "One"]]),
        ]
        #expect(faults(swap, of: try record).isEmpty)
        #expect(faults([swap[0]], of: try record) == ["twice /changes/0/fields/title"])
    }

    @Test func `faults stand where the request has them`() throws {
        let record = try record
        #expect(
            faults(
                [
                    .patch(EntryID("p1"), ["fields": ["score": 11], "kind": "unit", "children": []]),
                    .add(entry: unit(""), parent: nil, ref: nil),
                    .add(entry: ["kind": "part", "fields": ["max": 0, "rank": 1], "id": "x"], parent: "u1", ref: nil),
                ], of: record) == [
                    "unknown_field /changes/0/children", "score_range /changes/0/fields/score",
                    "unknown_field /changes/0/kind", "missing_field /changes/1/fields/title",
                    "out_of_range /changes/2/fields/max", "unknown_field /changes/2/fields/rank",
                    "unknown_field /changes/2/id",
                ])
        #expect(
            faults([.patch(EntryID("p1"), ["fields": ["score": 11]])], of: record, at: nil) == [
                "score_range /fields/score"
            ])
    }

    @Test func `what is not there is not found`() throws {
        let record = try record
        for change in [
            RecordChange.delete(EntryID("x")), .patch(EntryID("x"), [:]),
            .add(entry: unit("Three"), parent: "x", ref: nil), .delete(EntryID("")),
        ] {
            #expect(throws: EntryNotFound.self) { try apply([change], to: record) }
        }
        #expect(throws: EntryNotFound(entry: "u1")) {
            try apply([.delete(EntryID("u1")), .delete(EntryID("u1"))], to: record)
        }
    }

    @Test func `the author of a value survives writing, reading, hiding and what happens around it`() throws {
        let staff = RecordChange.patch(EntryID("p1"), ["fields": ["score": 9]])
        var tree = try apply([staff], to: try record, isStaff: true, author: "ada").tree
        let around: [RecordChange] = [
            .delete(EntryID("u2")), .add(entry: unit("Three"), parent: nil, ref: nil), .fields(["prior": 4]),
        ]
        tree = try apply(around, to: tree).tree
        let hide = RecordChange.patch(EntryID("p1"), ["fields": ["max": 20], "hidden": true])
        tree = try apply([hide], to: tree, isStaff: true, author: "grace").tree
        for _ in 1...2 { tree = try rules.storedRecord(tree.stored(as: "r", of: "p").text) }
        let part = try #require(tree.entry(EntryID("p1")))
        #expect((0...1).map { part.content.authors.values[$0] } == ["ada", "grace"])
        #expect((0...1).map { part.shown?.authors.values[$0] } == ["ada", nil])
        let seen = try rules.storedRecord(tree.released.stored(as: "r", of: "p").text)
        #expect(seen.authors == ["ada"])
        #expect(
            faults([.patch(EntryID("p1"), ["fields": ["score": 1]])], of: tree) == [
                "entered_by_staff /changes/0/fields/score"
            ])
        #expect(faults([.patch(EntryID("p1"), ["fields": ["score": 9, "max": 11]])], of: tree).isEmpty)
        #expect(faults([.delete(EntryID("u1"))], of: tree) == ["entered_by_staff /changes/0"])
        #expect(faults([.delete(EntryID("u1"))], of: tree, isStaff: true).isEmpty)
    }

    @Test func `a student's deletion leaves to staff what the student cannot see`() throws {
        let add = RecordChange.add(
            entry: ["kind": "part", "fields": ["score": 1, "max": 10], "hidden": true], parent: "u1", ref: nil)
        let tree = try apply([add], to: try record, isStaff: true, author: "ada").tree
        let change = try apply([.delete(EntryID("u1"))], to: tree)
        #expect(change.tree.released.entry(EntryID("u1")) == nil)
        #expect(change.tree.released.count == 1)
        #expect(change.tree.entry(EntryID("u1"))?.children.count == 2)
        #expect(throws: EntryNotFound(entry: "u1")) {
            try apply([.delete(EntryID("u1")), .delete(EntryID("u1"))], to: tree)
        }
    }

    @Test func `only staff hides`() throws {
        let hide = RecordChange.patch(EntryID("u1"), ["hidden": true])
        #expect(faults([hide], of: try record) == ["unknown_field /changes/0/hidden"])
        let change = try apply([hide], to: try record, isStaff: true)
        #expect(change.tree.hasHidden)
        #expect(change.tree.released.entries.map(\.id.text) == ["u2"])
    }

    @Test func `a fault that was there before, elsewhere, stands in nobody's way`() throws {
        let broken = try stored([
            ["id": "u1", "kind": "unit", "fields": ["title": "", "weight": 0]],
            ["id": "u2", "kind": "unit", "fields": ["title": "Two"]],
        ])
        #expect(faults([.patch(EntryID("u2"), ["fields": ["weight": 2]])], of: broken).isEmpty)
        #expect(
            faults([.patch(EntryID("u1"), ["fields": ["weight": 2]])], of: broken) == [
                "missing_field /changes/0/fields/title"
            ])
        #expect(faults([.delete(EntryID("u1"))], of: broken).isEmpty)
    }

    @Test func `an undo brings an entry back as it was, where it was`() throws {
        let record = try record
        let before = try #require(record.entry(EntryID("u1")))
        let deleted = try apply([.delete(before.id)], to: record).tree
        let restored = try apply([.restore(before, parent: nil, position: 1)], to: deleted).tree
        #expect(restored.entries == record.entries)
        let changed = try apply([.patch(before.id, ["fields": ["title": "X"]])], to: record).tree
        #expect(try apply([.revert(before)], to: changed).tree.entries == record.entries)
        let far = try apply([.restore(before, parent: nil, position: 99)], to: deleted).tree
        #expect(far.entries.map(\.id.text) == ["u2", "u1"])
    }

    @Test func `a reference is used once`() throws {
        #expect(
            faults(
                [.add(entry: unit("A"), parent: nil, ref: "r"), .add(entry: unit("B"), parent: "u1", ref: "r")],
                of: try stored([])) == ["EntryNotFound(entry: \"u1\")"])
    }

    @Test(
        arguments: [
            (5, ["wrong_type "]), ([:], ["missing_field /changes"]), (["changes": 5], ["wrong_type /changes"]),
            (["changes": [5]], ["wrong_type /changes/0"]), (["changes": [], "more": 1], ["unknown_field /more"]),
            (["changes": [[:]]], ["missing_field /changes/0/op"]),
            (["changes": [["op": "burn"]]], ["out_of_range /changes/0/op"]),
            (["changes": [["op": 5]]], ["missing_field /changes/0/op", "wrong_type /changes/0/op"]),
            (
                ["changes": [["op": "patch"], ["op": "delete", "fields": [:]]]],
                [
                    "missing_field /changes/0/entry", "missing_field /changes/1/entry",
                    "unknown_field /changes/1/fields",
                ]
            ),
        ] as [(JSON, [String])])
    func `a list of changes is read with all its faults`(json: JSON, faults: [String]) {
        let thrown = #expect(throws: FaultList.self) { try RecordChange.list(from: json) }
        #expect(thrown?.faults.map { "\($0.code) \($0.path)" } == faults)
    }

    @Test func `a stored record reads back as it was written`() throws {
        let record = try apply(
            [.fields(["prior": .number("12.5")]), .patch(EntryID("u1"), ["status": "audit"])], to: try record
        ).tree
        var (fields, entries) = (JSONWriter(), JSONWriter())
        record.writeFields(to: &fields)
        record.writeEntries(to: &entries)
        let again = try rules.storedRecord(fields: JSON.parse(fields.bytes), entries: JSON.parse(entries.bytes))
        #expect(again.root == record.root)
        #expect(fields.text == #"{"prior":12.5}"#)
    }

    @Test func `an entry is remembered with its place, and refused where that is gone`() throws {
        let record = try record
        let part: JSON = [
            "id": "p9", "kind": "part", "parent": "u2", "position": 1, "fields": ["max": 5], "children": [],
        ]
        let (entry, parent, position) = try rules.remembered(part, in: record)
        #expect(entry.id == EntryID("p9"))
        #expect(parent == EntryID("u2"))
        #expect(position == 1)
        let gone = #expect(throws: FaultList.self) {
            try rules.remembered(part.with("parent", "u9"), in: record)
        }
        #expect(gone?.faults.map(\.path) == ["/parent"])
        #expect(throws: FaultList.self) { try rules.remembered(part.with("parent", nil), in: record) }
    }
}

extension JSON {
    fileprivate func with(_ name: String, _ value: JSON?) -> JSON {
        guard var object else { return self }
        object[name] = value
        return .object(object)
    }
}
