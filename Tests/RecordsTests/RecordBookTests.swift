import GradingKit
import IUT
import Records
import Storage
import Testing

@Suite struct RecordBookTests {
    private let book: RecordBook
    private let head = RecordHead(
        id: RecordID("r"), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
        student: AccountID("s"), createdAt: Instant(microseconds: 0))

    init() throws {
        book = RecordBook(
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
        let tree = try book.rules.calculation(fields: .null, entries: entries) { EntryID("?") }
        let made = try book.creation(tree, head: head)
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
        try book.amendment(
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
        let other = RecordBook(rules: book.rules, programVersion: 2, language: .english, newID: { EntryID("n") })
        #expect(throws: StoreError.moved) {
            try other.amendment(of: snapshot(), by: RecordEdit([], answer: .listed), view: .full)
        }
    }

    @Test func `an undo puts a deleted entry back where it stood`() throws {
        let before = try snapshot()
        let deletion = try book.amendment(
            of: before, by: RecordEdit([.delete(EntryID("a"))], answer: .deleted), view: .released)
        let item = HistoryItem(
            version: 2, at: Instant(microseconds: 1), account: AccountID("s"), displayName: "S", change: deletion.change
        )
        let undone = try book.amendment(
            of: snapshot(deletion, version: 2), by: Undo(of: item).edit(by: book), view: .released)
        #expect(undone.full == before.full)
    }

    @Test func `an undo does not overwrite what was changed since`() throws {
        let first = try edit(snapshot(), ["fields": ["grade": 1]], of: "a", as: .released)
        let second = try edit(snapshot(first, version: 2), ["fields": ["grade": 2]], of: "a", as: .released)
        let item = HistoryItem(
            version: 2, at: Instant(microseconds: 1), account: AccountID("s"), displayName: "S", change: first.change)
        #expect(throws: Undo.Superseded.self) {
            try book.amendment(
                of: snapshot(second, version: 3), by: Undo(of: item).edit(by: book), view: .released)
        }
    }

    @Test func `a stored message is in the institution's language`() throws {
        let standing = try JSON.parse(snapshot().full.standing)
        let reasons = try #require(standing["outcomes"]?["diploma"]?["reasons"]?.array)
        #expect(reasons.first?["message"] == "Il n’y a pas d’unité professionnelle")
    }
}
