import Accounts
import Classes
import DataStore
import Gradebook
import GradingKit
import Records
import Shared

extension StoreLaw {
    /// What those rely on who follow the rows of a class.
    static let grids: [StoreLaw] = [
        StoreLaw("rows are read in parts, and a change of the structure is one of every row") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob", "eve"] { try await room.enrol(name) }
            let store = place.data.gradebook
            let before = try await room.snapshot().version
            func rows(since version: Version, after place: Int = 0, limit: Int = 10) async throws -> GridRows {
                guard let found = try await store.grid(of: SampleClass.id, since: version, after: place, limit: limit)
                else { throw Violation(description: "no class") }
                return found
            }
            let first = try await rows(since: 0, limit: 2)
            try expect(first.rows.map(\.enrolled.enrolment.id.text), is: ["e-ada", "e-bob"], "the first part")
            let rest = try await rows(since: 0, after: first.rows.last?.place ?? 0)
            try expect(rest.rows.map(\.enrolled.enrolment.id.text), is: ["e-eve"], "the other part")
            try expect(rest.rows.first?.programVersion, is: 1, "the version that judges")
            try expect(rest.epoch, is: store.epoch, "the epoch")
            let entered = try await room.enter(room.cell("l2", 9, of: "bob"))
            let changed = try await rows(since: before)
            try expect(changed.rows.map(\.enrolled.version), is: [entered.version], "the row that changed")
            try expect(changed.snapshot.version, is: entered.version, "the class's version")
            try expect(try await rows(since: entered.version).rows.count, is: 0, "the rows that changed since")
            try await room.change(.delete(LineID("l3")))
            let restructured = try await rows(since: entered.version)
            try expect(restructured.rows.count, is: 3, "the rows that changed with the structure")
            try expect(restructured.structuredAt, is: entered.version + 1, "the version of the structure")
            try expect(try await rows(since: entered.version + 1).rows.count, is: 0, "the rows that changed since")
            let unknown = try await store.grid(of: ClassID("no"), since: 0, after: 0, limit: 1)
            try expect(unknown == nil, "an unknown class has no rows")
        },
        StoreLaw("a class has first and last names while a student who has not left says one") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await place.make("stranger")
            try await place.call("stranger", PersonName(given: "Grace", family: "Hopper"))
            for name in ["ada", "bob"] {
                try await place.make(name)
                try await room.enrol(name)
            }
            func has() async throws -> Bool { try await place.data.gradebook.hasPersonNames(in: SampleClass.id) }
            try expect(try await has(), is: false, "before")
            for name in [PersonName(given: "Ada"), PersonName(family: "Lovelace")] {
                try await place.call("ada", name)
                try expect(try await has(), is: true, "with \(name.parts)")
            }
            try await room.withdraw("ada")
            try expect(try await has(), is: false, "once the student has left")
            try await place.call("bob", PersonName(given: "Bob"))
            try await place.call("bob", .none)
            try expect(try await has(), is: false, "once it is taken away")
            let unknown = try await place.data.gradebook.hasPersonNames(in: ClassID("no"))
            try expect(unknown, is: false, "in an unknown class")
        },
        StoreLaw("followers are told which rows an act changed, and whether the class says something else") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            let store = place.data.gradebook
            let (told, version) = (place.told.count, try await room.snapshot().version)
            try await room.enter(room.cell("l2", 9, of: "bob"))
            try await room.enter(room.cell("l2", 9, of: "bob"))
            try await room.change(.delete(LineID("l3")))
            let bob = ClassNews(
                SampleClass.id, version: version + 1, rows: [EnrolmentID("e-bob")], isRestated: false)
            let all = ClassNews(
                SampleClass.id, version: version + 2, rows: [EnrolmentID("e-ada"), EnrolmentID("e-bob")])
            try expect(place.told(after: told), is: [.classChanged(bob), .classChanged(all)], "what was told")
            let marks = try await store.marks(of: [SampleClass.id, ClassID("no")])
            try expect(
                marks, is: [SampleClass.id: ClassMark(version: version + 2, restated: version + 2)], "the class's mark")
            let rows = try await store.marks(of: [EnrolmentID("e-bob"), EnrolmentID("no")])
            let mark = RowMark(row: version + 1, restated: version + 2, programVersion: 1)
            try expect(rows, is: [EnrolmentID("e-bob"): mark], "the row's mark")
            let marked = try await store.markedRow(EnrolmentID("e-bob"))
            try expect(marked?.mark, is: mark, "the mark beside the row")
            try expect(marked?.enrolled.row[2].values["score"], is: .number(9), "the row")
            try expect(
                try await store.roster(of: SampleClass.id), is: ClassRoster(students: 2, withdrawn: 0), "the roster")
        },
        StoreLaw("a record is read with the rows of its classes, but for those of students who left") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            try await room.enter(room.cell("l2", 9, of: "bob"))
            let store = place.data.gradebook
            let linked = try await store.linked(RecordID("r-bob"))
            let snapshot = try await place.data.records.snapshot(of: RecordID("r-bob"))
            try expect(linked?.snapshot, is: snapshot, "the record")
            let marked = try await store.markedRow(EnrolmentID("e-bob"))
            try expect(linked?.rows.keys.map(\.text), is: ["course"], "the entries with rows")
            try expect(linked?.rows[EntryID("course")]?.mark, is: marked?.mark, "the row's mark")
            try expect(linked?.rows[EntryID("course")]?.enrolled, is: marked?.enrolled, "the row")
            try await room.withdraw("bob")
            try expect(try await store.linked(RecordID("r-bob"))?.rows.count, is: 0, "the rows of who left")
            try expect(try await store.linked(RecordID("no")) == nil, "an unknown record")
        },
        StoreLaw("a record moves with the rows of its classes, in one act, or not at all") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            try await room.enter(room.cell("l2", 9, of: "bob"))
            let (store, bob) = (place.data.gradebook, RecordID("r-bob"))
            let early = try await room.move(bob)
            try await room.enter(room.cell("l2", 7, of: "bob"))
            let (told, version) = (place.told.count, try await room.snapshot().version)
            let context = try await room.context()
            func isRefused(_ move: RecordMove) async throws -> Bool {
                do {
                    try await store.move(move, by: context)
                    return false
                } catch StoreError.moved {
                    return true
                }
            }
            try expect(try await isRefused(early), "a move of another row")
            try expect(place.told.count, is: told, "what was told of it")
            let move = try await room.move(bob)
            try await store.move(move, by: context)
            let linked = try await store.linked(bob)
            try expect(linked?.snapshot.head.programVersion, is: 2, "the version that judges the record")
            try expect(linked?.snapshot.full.standing, is: move.amendment.full.standing, "the record")
            let mark = RowMark(row: version + 1, restated: version - 2, programVersion: 2)
            try expect(linked?.rows[EntryID("course")]?.mark, is: mark, "the row's mark")
            try expect(linked?.rows[EntryID("course")]?.enrolled.row[2].values["score"], is: .number(7), "the row")
            let news = ClassNews(
                SampleClass.id, version: version + 1, rows: [EnrolmentID("e-bob")], isRestated: false)
            try expect(place.told(after: told).contains(.classChanged(news)), "what was told")
            let ledger = try await store.ledger(of: SampleClass.id, EnrolmentID("e-bob"), before: nil, limit: 1)
            try expect(ledger.first?.operation, is: "move", "the ledger")
            try expect(try await isRefused(move), "the same move again")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("the row of a deleted account changes: those who follow the class drop the name") { place in
            let room = SampleClass(place: place)
            try await place.make("ada")
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            let (told, version) = (place.told.count, try await room.snapshot().version)
            try await place.data.accounts.delete(AccountID("ada")) { _ in Sample.entry("account.deleted", of: "ada") }
            let news = ClassNews(SampleClass.id, version: version + 1, rows: [EnrolmentID("e-ada")])
            try expect(place.told(after: told).contains(.classChanged(news)), "what was told")
            let found = try await place.data.gradebook.grid(of: SampleClass.id, since: version, after: 0, limit: 10)
            try expect(found?.rows.map(\.enrolled.enrolment.id), is: [EnrolmentID("e-ada")], "the row that changed")
            try expect(found?.rows.first?.enrolled.enrolment.student == nil, "the row has no student")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
    ]
}
