import Records
import Shared

extension StoreLaw {
    private static func key(_ name: String, body: UInt8 = 1) -> IdempotencyKey {
        IdempotencyKey(key: name, digest: [UInt8](repeating: body, count: 32))
    }

    static let idempotency: [StoreLaw] = [
        StoreLaw("the same key gives the first answer again, and nothing is done twice") { place in
            let store = place.store
            try await store.create("r")
            let first = try await store.count(in: "r", key: key("k"))
            try await store.count(in: "r")
            let again = try await store.count(in: "r", key: key("k"))
            try expect(again.answer, is: first.answer, "the answer")
            try expect(again.revision, is: first.revision, "its revision")
            try expect([first.isReplay, again.isReplay], is: [false, true], "whether it is a replay")
            try expect(try await store.found("r").full, is: Sample.content("2"), "the content")
        },
        StoreLaw("a replay comes before every other condition") { place in
            let store = place.store
            let start = try await store.create("r").revision
            let first = try await store.put("a", in: "r", expected: start, key: key("k"))
            let context = store.context(expected: start, key: key("k"))
            try await place.raiseAccess(of: .account(Sample.student))
            let again = try await store.amend(RecordID("r"), by: context) { _ in Sample.amendment("z") }
            try expect(again.answer, is: first.answer, "the answer")
        },
        StoreLaw("a key used with another request is refused") { place in
            let store = place.store
            try await store.create("r")
            try await store.count(in: "r", key: key("k"))
            try await expect(.idempotencyMismatch, "another body") {
                try await store.count(in: "r", key: key("k", body: 2))
            }
            try expect(try await store.found("r").full, is: Sample.content("1"), "the content")
        },
        StoreLaw("a key belongs to its account") { place in
            let store = place.store
            try await store.create("r")
            try await store.put("a", in: "r", key: key("k"))
            let other = try await store.put("b", in: "r", key: key("k", body: 2), by: Sample.teacher)
            try expect(other.isReplay, is: false, "whether another account's key was found")
        },
        StoreLaw("of two with the same key at once, the second gets the first one's answer") { place in
            let store = place.store
            try await store.create("r")
            let outcomes = try await withThrowingTaskGroup(of: WriteOutcome.self) { group in
                for _ in 1...20 { group.addTask { try await store.count(in: "r", key: key("k")) } }
                return try await group.reduce(into: [WriteOutcome]()) { $0.append($1) }
            }
            try expect(outcomes.filter { !$0.isReplay }.count, is: 1, "how often it was done")
            try expect(Set(outcomes.map(\.answer.body)).count, is: 1, "how many different answers")
            try expect(try await store.found("r").full, is: Sample.content("1"), "the content")
        },
        StoreLaw("a refused request leaves its key unused") { place in
            struct Refusal: Error {}
            let store = place.store
            try await store.create("r")
            do {
                _ = try await store.amend(RecordID("r"), by: store.context(key: key("k"))) { _ in throw Refusal() }
            } catch is Refusal {}
            let outcome = try await store.count(in: "r", key: key("k", body: 2))
            try expect(outcome.isReplay, is: false, "whether it is a replay")
        },
        StoreLaw("creating and deleting are done once a key, too") { place in
            let store = place.store
            let creation = store.context(key: key("c"))
            let first = try await store.create(Sample.head("r"), as: Sample.amendment("a"), by: creation)
            let again = try await store.create(Sample.head("s"), as: Sample.amendment("a"), by: creation)
            try expect(again.answer, is: first.answer, "the answer")
            try expect(try await store.head(of: RecordID("s")), is: nil, "a second record")
            let deletion = store.context(key: key("d"))
            try await store.delete(RecordID("r"), by: deletion)
            try await store.delete(RecordID("r"), by: deletion)
        },
        StoreLaw("a key is forgotten after a day, and outlives a restart before") { place in
            let store = place.store
            try await store.create("r")
            let first = try await store.put("a", in: "r", key: key("k"))
            let reopened = try await place.reopened()
            let soon = Sample.now.adding(seconds: IdempotencyKey.lifetime - 1)
            let again = try await reopened.store.put("b", in: "r", key: key("k"), at: soon)
            try expect(again.answer, is: first.answer, "the answer after a restart")
            let late = Sample.now.adding(seconds: IdempotencyKey.lifetime)
            let new = try await reopened.store.put("c", in: "r", key: key("k", body: 2), at: late)
            try expect(new.isReplay, is: false, "whether it is a replay after a day")
            await reopened.close()
        },
    ]
}
