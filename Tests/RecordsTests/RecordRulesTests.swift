import Chalkboard
import GradingKit
import IUT
import Records
import RoseHulman
import Shared
import Synchronization
import Testing

@Suite struct RecordRulesTests {
    private let recordRules: RecordRules
    private let head = RecordHead(
        id: RecordID("r"), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
        student: AccountID("s"), createdAt: Timestamp(microseconds: 0))

    init() throws {
        recordRules = RecordRules(
            rules: try InstalledScheme(IUT.self).rulebook(), programVersion: 1, language: .french,
            newID: { EntryID("new") })
    }

    /// A record of two units, of one subject each; the second subject's grade is hidden.
    private func snapshot() throws -> RecordSnapshot {
        let entries: JSON = [
            [
                "id": "u", "kind": "unit", "fields": ["title": "U", "weight": 1],
                "children": [
                    ["id": "a", "kind": "subject", "fields": ["title": "A", "weight": 1, "grade": 12]],
                    ["id": "b", "kind": "subject", "fields": ["title": "B", "weight": 1, "grade": 8]],
                ],
            ]
        ]
        let tree = try recordRules.rules.calculation(fields: .null, entries: entries) { EntryID("?") }
        let made = try recordRules.creation(tree, head: head)
        return snapshot(made, version: 1)
    }

    private func snapshot(_ amendment: Amendment, version: Int) -> RecordSnapshot {
        RecordSnapshot(
            head: head, epoch: Epoch("e"), fullVersion: version, releasedVersion: version, full: amendment.full,
            released: amendment.released)
    }

    private func edit(_ snapshot: RecordSnapshot, _ members: JSONObject, of entry: String, as view: RecordView)
        throws -> Amendment
    {
        try recordRules.amendment(
            of: snapshot, by: RecordEdit([.patch(EntryID(entry), members)], answer: .patched(EntryID(entry))),
            view: view)
    }

    private func total(_ content: RecordContent) throws -> String? {
        try JSON.parse(content.standing)["figures"]?["total"]?["display"]?.string
    }

    @Test func `an edit is computed for both views`() throws {
        let hidden = try edit(snapshot(), ["hidden": true], of: "b", as: .full)
        #expect(try total(hidden.full) == "10.00")
        #expect(try total(#require(hidden.released)) == "12.00")
        #expect(!String(decoding: try #require(hidden.released).tree, as: UTF8.self).contains("\"b\""))
    }

    @Test func `a hidden grade leaves the student's documents and history untouched`() throws {
        let hidden = snapshot(try edit(snapshot(), ["hidden": true], of: "b", as: .full), version: 2)
        let graded = try edit(hidden, ["fields": ["grade": 20]], of: "b", as: .full)
        #expect(try total(graded.full) == "16.00")
        #expect(graded.released == hidden.released)
        let told = try #require(graded.releasedChange)
        #expect(told.entry == nil && told.before == nil && told.after == nil)
        #expect(graded.change.entry == "b")
    }

    @Test func `a score that is written hidden leaves the student with what was there`() throws {
        let before = try snapshot()
        for members: JSONObject in [
            ["fields": ["grade": 20], "hidden": true], ["fields": ["grade": 8], "hidden": true],
            ["status": "excused", "hidden": true],
        ] {
            let hidden = try edit(before, members, of: "b", as: .full)
            #expect(hidden.released == before.full)
            let again = try edit(snapshot(hidden, version: 2), ["fields": ["grade": 4]], of: "b", as: .full)
            #expect(again.released == before.full)
            let released = try edit(snapshot(again, version: 3), ["hidden": false], of: "b", as: .full)
            #expect(released.released == nil && released.full != before.full)
        }
    }

    @Test func `a student's change of an entry with a hidden score leaves the hidden score alone`() throws {
        let hidden = try edit(snapshot(), ["fields": ["grade": 20], "hidden": true], of: "b", as: .full)
        let changed = try edit(snapshot(hidden, version: 2), ["fields": ["grade": 10]], of: "b", as: .released)
        #expect(try total(changed.full) == "16.00")
        #expect(try total(#require(changed.released)) == "11.00")
        let item = history(changed)
        let undone = try recordRules.amendment(
            of: snapshot(changed, version: 3), by: Undo(of: item).edit(by: recordRules, view: .released),
            view: .released)
        #expect(undone.full == hidden.full)
        #expect(undone.released == hidden.released)
    }

    @Test func `what is hidden neither refuses what a student writes nor tells of itself`() throws {
        let recordRules = RecordRules(
            rules: try InstalledScheme(Chalkboard.self).rulebook(), programVersion: 1, language: .english,
            newID: { EntryID("new") })
        func course(_ title: String, isHidden: Bool) -> RecordChange {
            let parts = [("Assignments", 30), ("Midterm", 30), ("Final", 40)].map { name, weight -> JSON in
                let fields: JSON = ["name": .string(name), "points": 1, "max": 1, "weight": .number("\(weight)")]
                return ["kind": "assessment", "fields": fields]
            }
            var entry: JSONObject = [
                "kind": "course", "fields": ["title": .string(title), "credits": 3], "children": .array(parts),
            ]
            if isHidden { entry["hidden"] = true }
            return .add(entry: .object(entry), parent: nil, ref: nil)
        }
        let hidden = (1...4).map { course("T\($0)", isHidden: true) }
        let numbers = Mutex(0)
        let counting = RecordRules(
            rules: recordRules.rules, programVersion: 1, language: .english,
            newID: { EntryID("n\(numbers.withLock { $0 += 1; return $0 })") })
        let empty = snapshot(try recordRules.creation(recordRules.rules.emptyRecord, head: head), version: 1)
        let full = try counting.amendment(
            of: empty, by: RecordEdit(hidden, at: "/changes", answer: .listed), view: .full)
        let addition = course("T1", isHidden: false)
        let added = try counting.amendment(
            of: snapshot(full, version: 2), by: RecordEdit([addition], answer: .added), view: .released)
        #expect(try JSON.parse(#require(added.released).tree)["entries"]?.array?.count == 1)
        #expect(throws: FaultList.self) {
            try recordRules.amendment(
                of: snapshot(full, version: 2), by: RecordEdit([addition], answer: .added), view: .full)
        }
    }

    private func history(_ amendment: Amendment) -> HistoryItem {
        HistoryItem(
            version: 2, at: Timestamp(microseconds: 1), account: AccountID("s"), displayName: "S",
            change: amendment.change)
    }

    @Test func `what the student does not see cannot be addressed`() throws {
        let hidden = snapshot(try edit(snapshot(), ["hidden": true], of: "b", as: .full), version: 2)
        for entry in ["b", "nothing"] {
            #expect(throws: EntryNotFound(entry: entry)) {
                try edit(hidden, ["fields": ["grade": 1]], of: entry, as: .released)
            }
        }
    }

    @Test func `a student hides nothing`() throws {
        #expect(throws: FaultList([Fault(.unknownField, at: "/hidden")])) {
            try edit(snapshot(), ["hidden": true], of: "b", as: .released)
        }
    }

    @Test func `rules of another version do not judge`() throws {
        let other = RecordRules(
            rules: recordRules.rules, programVersion: 2, language: .english, newID: { EntryID("n") })
        #expect(throws: StoreError.moved) {
            try other.amendment(of: snapshot(), by: RecordEdit([], answer: .listed), view: .full)
        }
    }

    @Test func `an undo puts a deleted entry back where it stood`() throws {
        let before = try snapshot()
        let deletion = try recordRules.amendment(
            of: before, by: RecordEdit([.delete(EntryID("a"))], answer: .deleted), view: .released)
        let item = HistoryItem(
            version: 2, at: Timestamp(microseconds: 1), account: AccountID("s"), displayName: "S",
            change: deletion.change
        )
        let undone = try recordRules.amendment(
            of: snapshot(deletion, version: 2), by: Undo(of: item).edit(by: recordRules, view: .released),
            view: .released)
        #expect(undone.full == before.full)
    }

    @Test func `an undo does not overwrite what was changed since`() throws {
        let first = try edit(snapshot(), ["fields": ["grade": 1]], of: "a", as: .released)
        let second = try edit(snapshot(first, version: 2), ["fields": ["grade": 2]], of: "a", as: .released)
        let item = HistoryItem(
            version: 2, at: Timestamp(microseconds: 1), account: AccountID("s"), displayName: "S", change: first.change)
        #expect(throws: Undo.Superseded.self) {
            try recordRules.amendment(
                of: snapshot(second, version: 3), by: Undo(of: item).edit(by: recordRules, view: .released),
                view: .released)
        }
    }

    @Test(
        arguments: [
            [.patch(EntryID("a"), ["fields": ["grade": 3]]), .delete(EntryID("a"))],
            [.patch(EntryID("a"), ["fields": ["grade": 3]]), .delete(EntryID("u"))],
            [.delete(EntryID("a")), .delete(EntryID("u"))],
            [.delete(EntryID("a")), .delete(EntryID("b"))],
            [.patch(EntryID("u"), ["fields": ["weight": 2]]), .patch(EntryID("u"), ["fields": ["weight": 3]])],
            [
                .add(entry: ["kind": "unit", "fields": ["title": "V", "weight": 1]], parent: nil, ref: "v"),
                .add(entry: ["kind": "subject", "fields": ["title": "C", "weight": 1]], parent: "v", ref: nil),
                .delete(EntryID("b")),
            ],
        ] as [[RecordChange]])
    func `a list of changes is taken back as a whole`(changes: [RecordChange]) throws {
        let numbers = Mutex(0)
        let recordRules = RecordRules(
            rules: recordRules.rules, programVersion: 1, language: .french,
            newID: { EntryID("n\(numbers.withLock { $0 += 1; return $0 })") })
        let before = try snapshot()
        let changed = try recordRules.amendment(
            of: before, by: RecordEdit(changes, at: "/changes", answer: .listed), view: .released)
        let undone = try recordRules.amendment(
            of: snapshot(changed, version: 2), by: Undo(of: history(changed)).edit(by: recordRules, view: .released),
            view: .released)
        #expect(undone.full == before.full)
    }

    @Test func `record-level fields that were changed since are not overwritten`() throws {
        let recordRules = RecordRules(
            rules: try InstalledScheme(RoseHulman.self).rulebook(), programVersion: 1, language: .english,
            newID: { EntryID("new") })
        let empty = snapshot(try recordRules.creation(recordRules.rules.emptyRecord, head: head), version: 1)
        func amend(_ snapshot: RecordSnapshot, _ fields: JSON) throws -> Amendment {
            try recordRules.amendment(of: snapshot, by: RecordEdit([.fields(fields)], answer: .whole), view: .full)
        }
        let first = try amend(empty, ["priorGPA": 3, "priorCredits": 10])
        let second = try amend(snapshot(first, version: 2), ["priorGPA": .number("2.5")])
        #expect(throws: Undo.Superseded.self) {
            try recordRules.amendment(
                of: snapshot(second, version: 3), by: Undo(of: history(first)).edit(by: recordRules, view: .full),
                view: .full)
        }
        let undone = try recordRules.amendment(
            of: snapshot(second, version: 3), by: Undo(of: history(second)).edit(by: recordRules, view: .full),
            view: .full)
        #expect(undone.full == first.full)
    }

    @Test func `a stored message is in the institution's language`() throws {
        let standing = try JSON.parse(snapshot().full.standing)
        let reasons = try #require(standing["outcomes"]?["diploma"]?["reasons"]?.array)
        #expect(reasons.first?["message"] == "Il n’y a pas d’unité professionnelle")
    }
}
