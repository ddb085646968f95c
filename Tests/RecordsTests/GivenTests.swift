import GradingKit
import IUT
import Records
import Shared
import Testing

/// What people give, in a record's two views, its history and its undo.
@Suite struct GivenTests {
    private let recordRules: RecordRules
    private let head = RecordHead(
        id: RecordID("r"), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
        student: AccountID("s"), createdAt: Timestamp(microseconds: 0))
    private static let jury = GivingAuthor(account: "A1", time: "2026-07-03T10:00:00Z")
    private static let raised: JSONObject = ["given": ["figures": ["average": 12]], "reason": "Jury of 3 July"]
    private static let diploma: JSONObject = ["given": ["outcomes": ["diploma": "met"]], "reason": "Appeal"]

    init() throws {
        recordRules = RecordRules(
            rules: try InstalledScheme(IUT.self).rulebook(), programVersion: 1, language: .english,
            newID: { EntryID("new") })
    }

    private func snapshot() throws -> RecordSnapshot {
        let entries: JSON = [
            [
                "id": "u", "kind": "unit", "fields": ["title": "U", "weight": 1],
                "children": [["id": "a", "kind": "subject", "fields": ["title": "A", "weight": 1, "grade": 8]]],
            ]
        ]
        let tree = try recordRules.rules.calculation(fields: .null, entries: entries) { EntryID("?") }
        return snapshot(try recordRules.creation(tree, head: head), version: 1)
    }

    private func snapshot(_ amendment: Amendment, version: Int) -> RecordSnapshot {
        RecordSnapshot(
            head: head, epoch: Epoch("e"), fullVersion: version, releasedVersion: version, full: amendment.full,
            released: amendment.released)
    }

    private func edit(
        _ snapshot: RecordSnapshot, _ changes: [RecordChange], as view: RecordView = .full,
        giving: GivingAuthor? = jury
    ) throws -> Amendment {
        try recordRules.amendment(
            of: snapshot, by: RecordEdit(changes, answer: .whole), view: view, giving: view == .full ? giving : nil)
    }

    private func undo(
        _ change: Amendment, in snapshot: RecordSnapshot, as view: RecordView = .full, giving: GivingAuthor? = jury
    ) throws -> Amendment {
        let item = HistoryItem(
            version: 2, at: Timestamp(microseconds: 1), account: AccountID("s"), displayName: "S",
            change: change.change)
        return try recordRules.amendment(
            of: snapshot, by: Undo(of: item).edit(by: recordRules, view: view), view: view,
            giving: view == .full ? giving : nil)
    }

    private static let gifts: [[RecordChange]] = [
        [.patch(EntryID("u"), raised)], [.record(diploma)], [.patch(EntryID("u"), raised), .record(diploma)],
    ]

    @Test(arguments: gifts)
    func `reasons stay in the view of staff, and an undo restores everything`(changes: [RecordChange]) throws {
        let before = try snapshot()
        let given = try edit(before, changes)
        let released = try #require(given.released)
        for text in [released.tree, released.standing] {
            let words = String(decoding: text, as: UTF8.self)
            #expect(!words.contains("Jury") && !words.contains("Appeal"))
        }
        #expect(snapshot(given, version: 2).holdsWorkOfStaff && !snapshot(given, version: 2).holdsLinks)
        #expect((given.change.reason != nil) == (changes.count == 1))
        let told = try #require(given.releasedChange)
        #expect(told.reason == nil && told.operation == given.change.operation)
        #expect(!String(decoding: told.after ?? [], as: UTF8.self).contains("Jury"))
        let undone = try undo(given, in: snapshot(given, version: 2))
        #expect(undone.full == before.full && undone.released == nil)
        #expect(throws: FaultList.self) { try undo(given, in: snapshot(given, version: 2), giving: nil) }
    }

    @Test func `an undo of taking back gives again what was given, with its reason`() throws {
        let given = try edit(snapshot(), [.patch(EntryID("u"), Self.raised)])
        let back = try edit(
            snapshot(given, version: 2),
            [.patch(EntryID("u"), ["given": ["figures": ["average": nil]], "reason": "Mistake"])])
        #expect(try back.full == snapshot().full && back.released == nil)
        #expect(back.change.reason == "Mistake" && back.releasedChange?.reason == nil)
        let again = try undo(back, in: snapshot(back, version: 3))
        #expect(again.full == given.full && again.released == given.released)
    }

    @Test func `a student's change beside what was given is undone, and what was given stays`() throws {
        let given = try edit(snapshot(), Self.gifts[2])
        let before = snapshot(given, version: 2)
        let titled = try edit(before, [.patch(EntryID("u"), ["fields": ["title": "Mine"]])], as: .released)
        let undone = try undo(titled, in: snapshot(titled, version: 3), as: .released)
        #expect(undone.full == given.full && undone.released == given.released)
        #expect(throws: FaultList([Fault(.unknownField, at: "/given"), Fault(.unknownField, at: "/reason")])) {
            try edit(before, [.patch(EntryID("u"), Self.raised)], as: .released)
        }
    }

    @Test func `an edit says whether it gives`() {
        #expect(RecordEdit([.patch(EntryID("u"), Self.raised)], answer: .whole).gives)
        #expect(RecordEdit([.fields([:]), .record(Self.diploma)], answer: .whole).gives)
        #expect(!RecordEdit([.fields([:]), .patch(EntryID("u"), ["hidden": true])], answer: .whole).gives)
    }
}
