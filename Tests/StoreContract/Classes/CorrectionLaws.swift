import Classes
import DataStore
import Gradebook
import GradingKit
import Shared

extension StoreLaw {
    static let corrections: [StoreLaw] = [
        StoreLaw("a correction is kept with its ask, decided once, and read from the newest on") { place in
            let room = SampleClass(place: place)
            try await room.found()
            try await room.enrol("ada")
            try await room.enter(room.cell("l2", 7, of: "ada"), room.cell("l3", 7, of: "ada"))
            let (store, book, context) = (place.data.gradebook, try room.book(), try await room.context())
            _ = try await store.act(in: SampleClass.id, .rows([]), by: context) {
                try book.settle(ClassPatch(state: .closed), in: $0)
            }
            let change = room.cell("l2", 9, of: "ada")
            for name in ["first", "second"] {
                let request = CorrectionRequest(
                    id: CorrectionID(name), account: Sample.teacher, at: Sample.now, [change], reason: "Page 4")
                _ = try await store.act(in: SampleClass.id, .rows([change.enrolment]), by: context) {
                    try book.ask(request, in: $0)
                }
            }
            let waiting = try await store.corrections(of: SampleClass.id, before: nil, limit: 10)
            try expect(waiting.map(\.correction.id.text), is: ["second", "first"], "the corrections")
            try expect(try await store.roster(of: SampleClass.id).corrections, is: 2, "how many wait")
            let school = InstitutionID("school")
            func undecided(besides asker: String, since second: Int64 = 0, before: Int? = nil) async throws -> [String]
            {
                try await store.waitingCorrections(
                    in: school, besides: AccountID(asker), since: Sample.now.adding(seconds: second), before: before,
                    limit: 10
                ).map(\.correction.id.text)
            }
            try expect(try await undecided(besides: "eve"), is: ["second", "first"], "what waits for another")
            try expect(try await undecided(besides: Sample.teacher.text), is: [], "what waits for who asked")
            try expect(try await undecided(besides: "eve", since: 1), is: [], "what waits since later")
            try expect(
                try await undecided(besides: "eve", before: waiting.first?.number), is: ["first"], "what waits before")
            let older = try await store.corrections(
                of: SampleClass.id, before: waiting.first?.number, limit: 10)
            try expect(older.map(\.correction.id.text), is: ["first"], "the page after the newest")
            let ground = try required(
                try await store.ground(of: SampleClass.id, .correction(CorrectionID("first"))))
            let eve = AccountID("eve")
            let approve: @Sendable (ActGround) throws -> ActDecision<CellsAnswer> = {
                try book.approve(by: eve, at: Sample.now, in: $0)
            }
            _ = try await store.act(on: ground, by: context, approve(ground), keeping: { _ in nil }, again: approve)
            let row = try await store.row(change.enrolment, of: SampleClass.id)
            try expect(row?.row[2].values["score"], is: .number(9), "the cell")
            let refuse: @Sendable (ActGround) throws -> ActDecision<Correction> = {
                try book.refuse(by: eve, at: Sample.now, in: $0)
            }
            let stale = ground.replacing(row.map { [$0] } ?? [], [:])
            try await expect(.moved, "a decision over a decision") {
                try await store.act(on: stale, by: context, refuse(stale), keeping: { _ in nil }, again: refuse)
            }
            let decided = try await store.corrections(of: SampleClass.id, before: nil, limit: 10)
            try expect(decided.map(\.correction.decision), is: [.waiting, .entered], "the decisions")
            try expect(decided.last?.correction.decidedBy, is: eve, "who decided")
            try expect(try await undecided(besides: "eve"), is: ["second"], "what still waits")
            try expect(try await store.correction(CorrectionID("first"))?.decision, is: .entered, "the decided one")
            try expect(try await store.correction(CorrectionID("none")) == nil, "an unknown correction is none")
            try expect(try await place.faults(), is: [], "what an examination finds")
        }
    ]
}
