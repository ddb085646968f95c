import Classes
import DataStore
import Gradebook
import GradingKit
import Shared

extension StoreLaw {
    /// What those rely on who mark without knowing whose work it is.
    static let sealedCells: [StoreLaw] = [
        StoreLaw("results under codes touch no row until they are revealed, all in one act") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            try await room.enter(room.cell("l2", 7, of: "ada"), room.cell("l2", 8, of: "bob"))
            let (store, line) = (place.data.gradebook, LineID("l3"))
            try expect(try await store.sealedLine(line, of: SampleClass.id) == nil, "a class begins without a secret")
            try expect(try await store.seal(of: EnrolmentID("e-bob")) == nil, "and its students without codes")
            var patch = LinePatch()
            patch.marking = .anonymous
            try await room.change(.patch(line, patch))
            let sealed = try required(try await store.sealedLine(line, of: SampleClass.id))
            try expect(sealed.secret.count, is: AnonymousCodes.secretLength, "the length of the secret")
            let codes = sealed.codes(of: line).list
            let seal = try required(try await store.seal(of: EnrolmentID("e-bob")))
            try expect(seal.secret, is: sealed.secret, "the secret of a student's code")
            try expect(seal.place, is: 1, "a student's place")
            let (book, context) = (try room.book(), try await room.context())
            let version = try await room.snapshot().version
            let told = place.told.count
            let marks = zip(codes, [5, 1]).map { code, value in
                SealedCellChange(code, CellChange(EnrolmentID(""), line, value: .number(String(value))))
            }
            let mark: @Sendable (ActGround) throws -> ActDecision<CellsAnswer> = {
                try book.enterSealed(marks, in: line, .all, in: $0)
            }
            let stale = try required(
                try await store.ground(of: SampleClass.id, .sealed(line: 3, codes: marks.map(\.code))))
            _ = try await store.act(on: stale, by: context, mark(stale), keeping: { _ in nil }, again: mark)
            let news = ClassNews(SampleClass.id, version: version + 1, rows: [], isRestated: false)
            try expect(place.told(after: told), is: [.classChanged(news)], "what was told")
            let grid = try await store.grid(of: SampleClass.id, since: version, after: 0, limit: 10)
            try expect(grid?.rows.count, is: 0, "the rows that changed")
            // The same once more changes nothing: what stands there is read again.
            let again = try await store.act(on: stale, by: context, mark(stale), keeping: { _ in nil }, again: mark)
            try expect(again.version, is: version + 1, "the version after the same results")
            let reveal: @Sendable (ActGround) throws -> ActDecision<StructureAnswer> = { try book.reveal(line, in: $0) }
            let early = try required(try await store.ground(of: SampleClass.id, .unsealing(line: 3)))
            let other = [SealedCellChange(codes[0], CellChange(EnrolmentID(""), line, value: 6))]
            _ = try await store.act(in: SampleClass.id, .sealed(line: 3, codes: [codes[0]]), by: context) {
                try book.enterSealed(other, in: line, .all, in: $0)
            }
            try await expect(.moved, "revealing what is another result by now") {
                try await store.act(on: early, by: context, reveal(early), keeping: { _ in nil }, again: reveal)
            }
            _ = try await store.act(in: SampleClass.id, .unsealing(line: 3), by: context) {
                try book.reveal(line, in: $0)
            }
            let rows = try required(try await store.rows(of: SampleClass.id, since: 0)).rows
            try expect(
                rows.map { $0.row[3].values["score"] }, is: [.number(6), .number(1)], "the results in their rows")
            try expect(try await store.sealedLine(line, of: SampleClass.id)?.cells, is: [], "what is left under codes")
            try expect(try await room.gpa("bob"), is: "0.00", "the record that follows")
            try expect(try await place.faults(), is: [], "what an examination finds")
        }
    ]
}
