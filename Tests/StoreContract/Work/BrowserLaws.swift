import DataStore
import GradingKit
import Records
import Shared

extension StoreLaw {
    private static func create(_ id: String, by build: String? = nil, _ place: any StoreUnderTest) async throws {
        let plain = Sample.amendment("a")
        let amendment = Amendment(
            programVersion: 1, executable: build.map { SchemeExecutable(text: $0) }, full: plain.full, released: nil,
            change: plain.change, releasedChange: nil, answer: plain.answer)
        _ = try await place.store.create(Sample.head(id), as: amendment, by: place.store.context())
    }

    static let browsing: [StoreLaw] = [
        StoreLaw("a program's records are gone through in slices, in the order of their identifiers") { place in
            let (browser, program) = (place.data.browser, ProgramID("program"))
            for id in ["c", "a", "b"] { try await place.store.create(id) }
            _ = try await place.store.create(
                Sample.head("x", program: "other"), as: Sample.amendment("a"), by: place.store.context())
            try await place.store.put("b", in: "b")
            try expect(try await browser.count(of: program), is: 3, "how many there are")
            let first = try await browser.trees(of: program, after: nil, limit: 2)
            try expect(first.map(\.record.text), is: ["a", "b"], "the first slice")
            try expect(first.map(\.tree), is: [Sample.content("0").tree, Sample.content("b").tree], "what they hold")
            let rest = try await browser.versions(of: program, after: RecordID("a"), limit: 9)
            try expect(
                rest,
                is: [
                    RecordVersion(record: RecordID("b"), version: 2), RecordVersion(record: RecordID("c"), version: 1),
                ], "the versions after the first")
            let found = try await browser.standings(of: ["c", "x", "y"].map { RecordID($0) }, in: program)
            try expect(found.map(\.record.text), is: ["c"], "those of the program that are there")
            let students = try await browser.students(of: [RecordID("c"), RecordID("y")])
            try expect(students, is: [RecordID("c"): Sample.student], "the students")
        },
        StoreLaw("what changed after a place is found once each") { place in
            let browser = place.data.browser
            try await place.store.create("a")
            let start = try await browser.lastChange()
            for _ in 1...3 { try await place.store.count(in: "a") }
            try await place.store.create("b")
            let (records, end) = try await browser.changed(after: start, limit: 9)
            try expect(Set(records), is: [RecordID("a"), RecordID("b")], "what changed")
            try expect(records.count, is: 2, "how often each is told")
            try expect(end, is: try await browser.lastChange(), "the place reached")
            try expect(try await browser.changed(after: end, limit: 9).records, is: [], "what changed after it")
        },
        StoreLaw("records that another build has computed are known until this one computes them") { place in
            let (browser, program, build) = (place.data.browser, ProgramID("program"), SchemeExecutable(text: "new 2"))
            try await create("a", by: "old 1", place)
            try await create("b", by: "new 2", place)
            try await create("c", place)
            try expect(try await browser.stale(in: program, besides: build), is: 2, "how many are stale")
            let stale = try await browser.standings(of: program, besides: build, after: nil, limit: 9)
            try expect(stale.map(\.record.text), is: ["a", "c"], "those that are")
            let all = try await browser.standings(of: program, besides: nil, after: nil, limit: 9)
            try expect(all.count, is: 3, "all of them")
            try await place.store.delete(RecordID("a"), by: place.store.context())
            try expect(try await browser.stale(in: program, besides: build), is: 1, "how many are left")
        },
    ]

    static let copies: [StoreLaw] = [
        StoreLaw("one copy is made at a time, and is whole") { place in
            let copies = try required(place.data.copies)
            let copy = try await copies.copy()
            try await expect(.unavailable("another copy is under way"), "a second copy") {
                try await copies.copy()
            }
            var size = 0
            while true {
                let piece = try await withCheckedThrowingContinuation { continuation in
                    copy.read { continuation.resume(with: $0) }
                }
                if piece.isEmpty { break }
                size += piece.count
            }
            try expect(size, is: copy.size, "the bytes read")
        }
    ]
}
