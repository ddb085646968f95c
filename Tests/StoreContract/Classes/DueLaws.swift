import Classes
import DataStore
import Gradebook
import GradingKit
import Shared

extension StoreLaw {
    static let dueDays: [StoreLaw] = [
        StoreLaw("a due day is found once it is over, and dealt with once") { place in
            let room = SampleClass(place: place)
            let day = Sample.now.day
            let next = CalendarDay(days: day.days + 1)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            try await room.enrol("cyd", since: next)
            try await room.enter(room.cell("l2", 9, of: "ada"))
            try await room.set(due: day, of: "l2")
            try expect(try await room.dueDays(before: next), is: [], "a class that marks nothing by itself")
            try await room.change(.policy(WorkPolicy(absence: .init(share: 0, isAutomatic: true))))
            try expect(try await room.dueDays(before: day), is: [], "a day that is not over")
            try expect(try await room.dueDays(before: next), is: [day], "a day that is over")
            try await room.miss(dueOn: day)
            let store = place.data.gradebook
            let rows = try await store.rows(of: SampleClass.id, since: 0)?.rows ?? []
            try expect(rows.map { $0.row[2].isMissing }, is: [false, true, false], "what is missing")
            try expect(rows.map { $0.row[3].isMissing }, is: [false, false, false], "what is not due")
            let ledger = try await store.ledger(of: SampleClass.id, nil, before: nil, limit: 1)
            try expect(ledger.map(\.operation), is: ["missed"], "the ledger")
            try expect(try await room.dueDays(before: next), is: [], "a day that is dealt with")
            // Another process that had read the day before changes nothing.
            let version = try await room.snapshot().version
            do {
                try await room.miss(dueOn: day)
                throw Violation(description: "a day was dealt with twice")
            } catch StoreError.moved {}
            try expect(try await room.snapshot().version, is: version, "the class's version")
            // The mark is taken back, and stays away.
            try await room.undo(version)
            try expect(try await store.row(EnrolmentID("e-bob"), of: SampleClass.id)?.row.cells, is: [:], "the cell")
            try expect(try await room.dueDays(before: next), is: [], "a mark that was taken back")
            // A change whose server's clock still shows the day does not bring it back.
            try await room.change(.policy(WorkPolicy(absence: .init(share: nil, isAutomatic: true))))
            try expect(try await room.dueDays(before: next), is: [], "a clock that is behind")
            try expect(try await place.faults(), is: [], "what an examination finds")
        },
        StoreLaw("a due day follows the structure and the state of its class") { place in
            let room = SampleClass(place: place)
            let day = Sample.now.day
            let (past, later) = (CalendarDay(days: day.days - 1), CalendarDay(days: day.days + 7))
            let end = CalendarDay(days: day.days + 30)
            try await room.found()
            try await room.change(.policy(WorkPolicy(absence: .init(share: nil, isAutomatic: true))))
            try await room.set(due: past, of: "l2")
            try expect(try await room.dueDays(before: end), is: [], "a day that was over when it was set")
            try await room.set(due: later, of: "l3")
            try expect(try await room.dueDays(before: end), is: [later], "the later day")
            try await room.set(due: day, of: "l2")
            try expect(try await room.dueDays(before: end), is: [day], "the earlier day")
            let (store, book) = (place.data.gradebook, try room.book())
            for (state, days) in [(ClassHead.State.closed, []), (.open, [day])] {
                _ = try await store.act(in: SampleClass.id, .rows([]), by: room.context()) {
                    try book.settle(ClassPatch(state: state), in: $0)
                }
                try expect(try await room.dueDays(before: end), is: days, "of a class that is \(state)")
            }
            try await room.miss(dueOn: day)
            let ledger = try await store.ledger(of: SampleClass.id, nil, before: nil, limit: 1)
            try expect(ledger.map(\.operation), is: ["missed"], "the ledger of a day without students")
            try expect(try await room.dueDays(before: end), is: [later], "the day behind it")
        },
    ]
}

extension SampleClass {
    fileprivate func set(due day: CalendarDay, of line: String) async throws {
        var patch = LinePatch()
        patch.due = day
        try await change(.patch(LineID(line), patch))
    }

    fileprivate func miss(dueOn day: CalendarDay) async throws {
        let book = try book()
        _ = try await place.data.gradebook.act(in: Self.id, .everyRow, by: context()) {
            try book.markMissing(dueOn: day, in: $0)
        }
    }

    fileprivate func dueDays(before day: CalendarDay) async throws -> [CalendarDay] {
        try await place.data.gradebook.classesDue(before: day, after: nil, limit: 10).map(\.day)
    }
}
