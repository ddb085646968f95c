import Classes
import DataStore
import Gradebook
import GradingKit
import Shared

extension StoreLaw {
    static let transfers: [StoreLaw] = [
        StoreLaw("a transfer is carried out in both classes, or in neither") { place in
            let (room, store) = (SampleClass(place: place), place.data.gradebook)
            let other = ClassID("other")
            try await room.found()
            let made = try await room.snapshot()
            let head = ClassHead(
                id: other, institution: made.head.institution, program: made.head.program, title: "Sets",
                createdAt: Sample.now)
            _ = try await store.found(
                head, made.structure, staff: made.staff, by: room.context())
            try await room.enrol("ada")
            try await room.enter(room.cell("l2", 9, of: "ada"))
            let (book, ada) = (try room.book(), EnrolmentID("e-ada"))
            let request = EnrolmentRequest(
                id: EnrolmentID("e-there"), student: AccountID("ada"), record: nil, newRecord: RecordID("r-new"),
                entry: EntryID("there"), since: CalendarDay(days: 20_000), programVersion: 1)
            guard let from = try await store.ground(of: SampleClass.id, .rows([ada])),
                let to = try await store.ground(of: other, .student(AccountID("ada")))
            else { throw Violation(description: "no class") }
            let gpa = try await room.gpa("ada")
            do {
                _ = try await store.act(
                    on: (from, to), by: room.context(), keeping: { (_: ActOutcome<TransferAnswer>) in nil },
                    first: { try book.leave(ada, for: "Sets", by: Sample.teacher, in: $0) },
                    second: { _, _ in throw FaultList([Fault("refused")]) })
                throw Violation(description: "a refused transfer was carried out")
            } catch is FaultList {}
            try expect(try await store.row(ada, of: SampleClass.id)?.enrolment.isWithdrawn, is: false, "the row")
            try expect(try await room.gpa("ada"), is: gpa, "the record")
            let outcome = try await store.act(
                on: (from, to), by: room.context(), keeping: { _ in nil },
                first: { try book.leave(ada, for: "Sets", by: Sample.teacher, in: $0) },
                second: { try book.arrive(request, with: $1, in: $0, at: Sample.now) })
            try expect(outcome.value.left, is: [], "what stays behind")
            try expect(try await store.row(ada, of: SampleClass.id)?.enrolment.isWithdrawn, is: true, "the row")
            let there = try await store.row(EnrolmentID("e-there"), of: other)
            try expect(there?.row[2].values["score"], is: FieldValue.number(9), "the result there")
            try expect(try await room.gpa("ada"), is: gpa, "the record, by the other class")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("a student's section is kept, and changed") { place in
            let (room, store) = (SampleClass(place: place), place.data.gradebook)
            try await room.found()
            try await room.change(.addSection(ClassSection.Patch(title: "02", fields: ["credits": 2])))
            try await room.enrol("ada")
            let (book, ada) = (try room.book(), EnrolmentID("e-ada"))
            guard let section = try await room.snapshot().structure.sections.first?.id else {
                throw Violation(description: "no section")
            }
            for wanted in [section, nil] {
                _ = try await store.act(in: SampleClass.id, .rows([ada]), by: room.context()) { ground in
                    try book.assign(ada, to: wanted, by: Sample.teacher, in: ground)
                }
                try expect(
                    try await store.row(ada, of: SampleClass.id)?.enrolment.section, is: wanted, "the section")
            }
        },
    ]
}
