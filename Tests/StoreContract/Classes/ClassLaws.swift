import Accounts
import Classes
import DataStore
import Gradebook
import GradingKit
import Records
import Shared

extension StoreLaw {
    static let classes: [StoreLaw] = [
        StoreLaw("an act of a class is one transaction: row, ledger, entry, standing and history") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            let before = try await room.snapshot()
            let outcome = try await room.enter(room.cell("l2", 9, of: "ada"), room.cell("l3", 10, of: "ada"))
            try expect(outcome.version, is: before.version + 1, "the class's version")
            let row = try await place.data.gradebook.row(EnrolmentID("e-ada"), of: SampleClass.id)
            try expect(row?.version, is: outcome.version, "the row's version")
            try expect(row?.row[2].values["score"], is: .number(9), "the cell")
            try expect(try await room.gpa("ada"), is: "4.00", "the record's figure")
            let ledger = try await place.data.gradebook.ledger(
                of: SampleClass.id, EnrolmentID("e-ada"), before: nil, limit: 10)
            try expect(ledger.map(\.operation), is: ["cells", "enrol"], "the row's ledger")
            try expect(ledger.first?.reason, is: "marked", "the reason")
            let history = try await place.store.history(of: RecordID("r-ada"), view: .full, before: nil, limit: 10)
            try expect(history.map(\.change.operation), is: ["class", "create"], "the record's history")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("an act that is refused leaves no row, no version, no line and no record") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            let before = try await room.snapshot()
            do {
                try await room.enter(room.cell("l2", 9, of: "ada"), room.cell("l3", -1, of: "ada"))
                throw Violation(description: "a result below 0 was taken")
            } catch is FaultList {}
            try expect(try await room.snapshot(), is: before, "the class")
            let row = try await place.data.gradebook.row(EnrolmentID("e-ada"), of: SampleClass.id)
            try expect(row?.row.cells.isEmpty == true, "the row is as it was")
            try expect(try await place.store.found("r-ada").fullVersion, is: 1, "the record's version")
        },
        StoreLaw("what teachers enter at once loses nothing: each act sees those before it") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            let first = try await room.snapshot().version
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (name, line) in [("ada", "l2"), ("ada", "l3"), ("bob", "l2"), ("bob", "l3")] {
                    group.addTask { try await room.enter(room.cell(line, 8, of: name)) }
                }
                try await group.waitForAll()
            }
            try expect(try await room.snapshot().version, is: first + 4, "the class's version")
            for name in ["ada", "bob"] {
                let row = try await place.data.gradebook.row(EnrolmentID("e-\(name)"), of: SampleClass.id)
                try expect(row?.row.cells.count, is: 2, "the cells of \(name)")
            }
            let changed = try await place.data.gradebook.rows(of: SampleClass.id, since: first)
            try expect(changed?.version, is: first + 4, "the version before the rows")
            try expect(changed?.rows.count, is: 2, "the rows that changed")
            let none = try await place.data.gradebook.rows(of: SampleClass.id, since: first + 4)
            try expect(none?.rows.count, is: 0, "the rows that changed since")
        },
        StoreLaw("a right that was taken away in between writes nothing in a class") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            for subject in Sample.grounds {
                let old = try await room.context()
                try await place.raiseAccess(of: subject)
                try await expect(.moved, "an act under the old version of \(subject)") {
                    try await place.data.gradebook.act(in: SampleClass.id, .everyRow, by: old) { ground in
                        let grader = ClassStaff(AccountID("eve"), as: .grader)
                        return try Gradebook(rules: []).appoint(grader, among: [Sample.teacher], in: ground)
                    }
                }
            }
        },
        StoreLaw("a class outlives a restart, a crash and a restore, with its ledger and structures whole") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            let entered = try await room.enter(room.cell("l2", 9, of: "ada"), room.cell("l3", 2, of: "ada"))
            try await room.change(.delete(LineID("l3")))
            let before = try await room.snapshot()
            let restored = try await place.restored()
            let copies = [try await place.afterCrash(), restored]
            for copy in copies {
                let there = SampleClass(place: copy)
                try expect(try await there.snapshot(), is: before, "the class")
                try await there.undo(try await there.snapshot().version)
                try expect(try await there.snapshot().structure.line(LineID("l3")) != nil, "the line is back")
                try await there.undo(entered.version)
                let row = try await copy.data.gradebook.row(EnrolmentID("e-ada"), of: SampleClass.id)
                try expect(row?.row.cells.isEmpty == true, "the results are taken back")
                try expect(try await copy.faults(), is: [], "what an examination finds")
                await copy.close()
            }
        },
        StoreLaw("a record in a class is not deleted, nor its entry changed by the record's own edits") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            let access = try await place.store.access(of: Sample.teacher)
            do {
                try await place.store.delete(
                    RecordID("r-ada"), by: place.store.context(by: Sample.teacher, access: access))
                throw Violation(description: "the record was deleted")
            } catch let faults as FaultList {
                try expect(faults.faults.map(\.code), is: [.classEntry], "the refusal")
            }
        },
        StoreLaw("a student's enrolments and a teacher's classes are found") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            let mine = try await place.data.gradebook.enrolments(of: AccountID("ada"))
            try expect(mine.map(\.id), is: [EnrolmentID("e-ada")], "the enrolments")
            func classes(_ selection: ClassSelection, after cursor: ClassID? = nil) async throws -> [ClassSnapshot] {
                try await place.data.gradebook.classes(selection, after: cursor, limit: 10)
            }
            let itself = [try await room.snapshot()]
            for (mine, others) in [
                (ClassSelection.taught(by: Sample.teacher), ClassSelection.taught(by: AccountID("ada"))),
                (.program(ProgramID("program")), .program(ProgramID("other"))),
                (.institution(InstitutionID("school")), .institution(InstitutionID("other"))),
            ] {
                try expect(try await classes(mine), is: itself, "the classes of \(mine)")
                try expect(try await classes(mine, after: SampleClass.id), is: [], "the classes after it")
                try expect(try await classes(others), is: [], "the classes of \(others)")
            }
            try expect(try await place.data.gradebook.taughtClass(ClassID("no")) == nil, "an unknown class is none")
        },
        StoreLaw(
            "settings and staff of a class are kept, a role's end voids permits, and an answer is kept with its act"
        ) {
            place in
            let room = SampleClass(place: place)
            try await room.found()
            let (store, book, context) = (place.data.gradebook, try room.book(), try await room.context())
            let eve = AccountID("eve")
            let grader = ClassStaff(eve, as: .grader, in: [LineID("l2")])
            _ = try await store.act(in: SampleClass.id, .rows([]), by: context) {
                try book.appoint(grader, among: [Sample.teacher], in: $0)
            }
            let before = try await place.store.access(of: eve)
            let patch = ClassPatch(title: "Sets", isPostedByHand: true)
            let ground = try required(try await store.ground(of: SampleClass.id, .rows([])))
            let kept = Sample.kept("k", of: Sample.teacher.text)
            _ = try await store.act(
                on: ground, by: context, book.settle(patch, in: ground), keeping: { _ in kept },
                again: { try book.settle(patch, in: $0) })
            let snapshot = try await room.snapshot()
            try expect(snapshot.head.title, is: "Sets", "the title")
            try expect(snapshot.head.isPostedByHand, "new lines are posted by hand")
            try expect(snapshot.member(eve), is: grader, "the grader with the lines")
            let answer = try await place.data.accounts.answer(under: kept.key, of: Sample.teacher, at: Sample.now)
            try expect(answer, is: kept, "the answer under the client's key")
            _ = try await store.act(in: SampleClass.id, .rows([]), by: context) {
                try book.dismiss(eve, among: [Sample.teacher], in: $0)
            }
            try expect(try await room.snapshot().staff.map(\.account), is: [Sample.teacher], "the staff")
            try expect(try await place.store.access(of: eve) != before, "what rests on the role ends")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("an act is decided again for rows that changed after it was judged, and loses none of them") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            let (store, book, context) = (place.data.gradebook, try room.book(), try await room.context())
            let ground = try required(try await store.ground(of: SampleClass.id, .everyRow))
            // Two others are quicker.
            try await room.enter(room.cell("l2", 9, of: "ada"))
            try await room.enrol("eve")
            let halved = [StructureChange.patch(LineID("l2"), LinePatch(fields: ["max": 20]))]
            let decide: @Sendable (ActGround) throws -> ActDecision<StructureAnswer> = { ground in
                try book.change(halved, reason: nil, newID: { LineID("") }, in: ground)
            }
            let outcome = try await store.act(
                on: ground, by: context, decide(ground), keeping: { _ in nil }, again: decide)
            try expect(outcome.structure, is: ground.snapshot.structure.number + 1, "the structure")
            for name in ["ada", "bob", "eve"] {
                let row = try required(try await store.row(EnrolmentID("e-\(name)"), of: SampleClass.id))
                try expect(row.row[2].isEmpty, is: name != "ada", "whether the cell of \(name) is empty")
            }
            let record = try await place.store.found("r-ada")
            try expect(
                try JSON.parse(record.full.standing)["entries"]?["course"]?["figures"]?["grade"]?["display"],
                is: "45.00", "9 of 20")
            // The structure that this one was decided from is no more.
            try await expect(.moved, "an act on an old structure") {
                try await store.act(on: ground, by: context, decide(ground), keeping: { _ in nil }, again: decide)
            }
        },
        StoreLaw("an act that more rows have overtaken than can be judged again is left to its caller") { place in
            let room = SampleClass(place: place)
            try await room.found()
            let names = (0...ActGround.greatestRepair).map { "s\($0)" }
            for name in names { try await room.enrol(name) }
            let (store, book, context) = (place.data.gradebook, try room.book(), try await room.context())
            let ground = try required(try await store.ground(of: SampleClass.id, .everyRow))
            let cells = names.map { room.cell("l2", 5, of: $0) }
            _ = try await store.act(
                in: SampleClass.id, .rows(cells.map(\.enrolment)), by: context
            ) { try book.enter(cells, .all, reason: nil, in: $0) }
            let posted: @Sendable (ActGround) throws -> ActDecision<StructureAnswer> = { ground in
                try book.post([LineID("l2")], hide: true, in: ground)
            }
            try await expect(.moved, "an act that every row has overtaken") {
                try await store.act(on: ground, by: context, posted(ground), keeping: { _ in nil }, again: posted)
            }
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("a ledger is read in pages that lose no line, of the class and of a row") { place in
            let room = SampleClass(place: place)
            try await room.found()
            let names = ["ada", "bob", "eve"]
            for name in names { try await room.enrol(name) }
            // One act, three lines.
            let (store, book, context) = (place.data.gradebook, try room.book(), try await room.context())
            let cells = names.map { room.cell("l2", 5, of: $0) }
            let entered = try await store.act(in: SampleClass.id, .rows(cells.map(\.enrolment)), by: context) {
                try book.enter(cells, .all, reason: nil, in: $0)
            }
            try await room.enter(room.cell("l3", 1, of: "bob"))
            let whole = try await store.ledger(of: SampleClass.id, nil, before: nil, limit: 100)
            try expect(whole.map(\.number), is: Array((1...whole.count).reversed()), "the numbers of the lines")
            for enrolment in [nil, EnrolmentID("e-bob")] {
                let all = try await store.ledger(of: SampleClass.id, enrolment, before: nil, limit: 100)
                for size in 1...all.count {
                    var (lines, last) = ([LedgerLine](), Int?.none)
                    while true {
                        let page = try await store.ledger(of: SampleClass.id, enrolment, before: last, limit: size)
                        guard let end = page.last else { break }
                        lines += page
                        last = end.number
                    }
                    try expect(lines, is: all, "the ledger in pages of \(size)")
                }
            }
            let ground = try required(try await store.ground(of: SampleClass.id, .act(entered.version)))
            try expect(ground.ledger.map(\.version), is: names.map { _ in entered.version }, "the act")
            try expect(ground.rows.count, is: 3, "its rows")
            let none = try await store.ground(of: SampleClass.id, .act(entered.version + 10))
            try expect(none?.ledger.count, is: 0, "the lines of an act that never was")
            let authors = try await store.authors(
                of: [CellPlace(EnrolmentID("e-bob"), 3), CellPlace(EnrolmentID("e-ada"), 3)], in: SampleClass.id)
            try expect(authors.map(\.?.account), is: [Sample.teacher, nil], "who entered what")
        },
        StoreLaw("with a student's account go the row's cells and what the ledger said, and the chain holds") { place in
            try await place.make("ada")
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            try await room.enter(room.cell("l2", 9, of: "ada"), room.cell("l2", 4, of: "bob"))
            let before = try await room.snapshot().version
            try await place.data.accounts.delete(AccountID("ada")) { _ in Sample.entry("account.deleted", of: "ada") }
            let store = place.data.gradebook
            let row = try required(try await store.row(EnrolmentID("e-ada"), of: SampleClass.id))
            try expect(row.enrolment.student, is: nil, "the student")
            try expect(row.enrolment.isWithdrawn && row.row.cells.isEmpty, "the row is empty and takes no results")
            try expect(row.version, is: before + 1, "readers hear of it")
            let said = try await store.ledger(of: SampleClass.id, EnrolmentID("e-ada"), before: nil, limit: 10)
            try expect(said.map(\.operation), is: ["erase", "cells", "enrol"], "what was done stays")
            try expect(
                said.allSatisfy { $0.before == nil && $0.after == nil && $0.reason == nil }, "its words are gone")
            let other = try await store.ledger(of: SampleClass.id, EnrolmentID("e-bob"), before: nil, limit: 10)
            try expect(other.first?.after != nil, "another student's stay")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
    ]
}
