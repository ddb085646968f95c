import GradingKit
import IUT
import Records
import Shared
import Testing

@Suite struct TreeMemoryTests {
    private let head = RecordHead(
        id: RecordID("r"), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
        student: AccountID("s"), createdAt: Timestamp(microseconds: 0))

    private func recordRules(_ memory: RecordTreeCache?) throws -> RecordRules {
        var next = 0
        let ids = (0..<400).map { EntryID("e\($0)") }
        // Identifiers are asked for by one test at a time.
        nonisolated(unsafe) let newID = { () -> EntryID in
            next += 1
            return ids[next % ids.count]
        }
        return RecordRules(
            rules: try InstalledScheme(IUT.self).rulebook(), programVersion: 1, language: .english, memory: memory,
            newID: { newID() })
    }

    private func snapshot(_ amendment: Amendment, version: Int) -> RecordSnapshot {
        RecordSnapshot(
            head: head, epoch: Epoch("e"), fullVersion: version, releasedVersion: version, full: amendment.full,
            released: amendment.released)
    }

    /// What a run of changes makes of the sample year, one text after the other.
    private func run(_ recordRules: RecordRules) throws -> [[UInt8]] {
        let tree = try #require(try recordRules.rules.template("sample", newID: recordRules.newID))
        var snapshot = snapshot(try recordRules.creation(tree, head: head), version: 1)
        var told: [[UInt8]] = []
        let units = tree.entries
        for step in 0..<40 {
            let unit = units[step % units.count]
            let subject = unit.children[step % unit.children.count]
            let change: RecordChange =
                switch step % 4 {
                case 0: .patch(subject.id, ["fields": .object(["grade": .string("12,\(step)")])])
                case 1: .patch(subject.id, ["fields": .object(["grade": .null, "title": .string("A \"\(step)\" é ")])])
                case 2: .patch(unit.id, ["hidden": .bool(step % 8 == 2)])
                default:
                    .add(
                        entry: ["kind": "subject", "fields": ["title": " new ", "weight": 1, "grade": 7]],
                        parent: unit.id.text, ref: nil)
                }
            let amendment = try recordRules.amendment(
                of: snapshot, by: RecordEdit([change], answer: .listed), view: .full)
            told += [amendment.full.tree, amendment.full.standing, amendment.change.before ?? []]
            told += [amendment.released?.tree ?? [], amendment.releasedChange?.after ?? []]
            snapshot = self.snapshot(amendment, version: step + 2)
        }
        return told
    }

    @Test func `what is remembered is what would have been read`() throws {
        #expect(try run(recordRules(RecordTreeCache())) == run(recordRules(nil)))
    }

    @Test func `a memory too small for a record remembers nothing and changes nothing`() throws {
        #expect(try run(recordRules(RecordTreeCache(capacity: 0))) == run(recordRules(nil)))
    }

    @Test func `a text that was never stored is no answer`() throws {
        let recordRules = try recordRules(RecordTreeCache())
        let tree = try #require(try recordRules.rules.template("sample", newID: recordRules.newID))
        let subject = try #require(tree.entries.first?.children.first)
        let truth = snapshot(try recordRules.creation(tree, head: head), version: 1)
        func graded(_ grade: JSON) throws -> Amendment {
            let change = RecordChange.patch(subject.id, ["fields": .object(["grade": grade])])
            return try recordRules.amendment(of: truth, by: RecordEdit([change], answer: .deleted), view: .full)
        }
        // The first change is rolled back by the store: the second begins from the same truth.
        _ = try graded(3)
        let second = try graded(.null)
        let change = RecordChange.patch(subject.id, ["fields": .object(["title": "again"])])
        let third = try recordRules.amendment(
            of: snapshot(second, version: 2), by: RecordEdit([change], answer: .deleted), view: .full)
        #expect(String(decoding: third.full.tree, as: UTF8.self).contains("\"title\":\"again\""))
        #expect(third.change.before == second.change.after)
    }
}
