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
        StoreLaw("facts of an answer are given back in the place of its body") { place in
            let store = place.store
            try await store.create("r")
            let first = try await store.kept("facts", facts: Array("+e1 e2".utf8), in: "r", key: key("k"))
            try expect(first.answer.body, is: Array("facts".utf8), "the first answer")
            let again = try await store.kept("other", facts: [], in: "r", key: key("k"))
            try expect(again.answer, is: StoredAnswer(.changed, body: [], facts: Array("+e1 e2".utf8)), "what was kept")
            try expect(again.revision, is: first.revision, "its revision")
            try expect(again.isReplay, is: true, "whether it is a replay")
        },
        StoreLaw("beyond what an account may keep the oldest answers go first, and no job pushes out a client's") {
            place in
            let store = place.store
            try await store.create("r")
            let (count, size) = (12, IdempotencyKey.most / 8)
            func isKnown(
                _ name: String, at number: Int, size: Int = 8, by account: AccountID = Sample.student
            ) async throws -> Bool {
                let outcome = try await place.store.kept(
                    String(repeating: "a", count: size), facts: nil, in: "r", key: StoreLaw.key(name), by: account,
                    at: Sample.now.adding(seconds: Int64(number)))
                return outcome.isReplay
            }
            _ = try await isKnown("theirs", at: 0, by: Sample.teacher)
            _ = try await isKnown("job 0", at: 0)
            for number in 1...count { _ = try await isKnown("k\(number)", at: number, size: size) }
            for number in 1...count { _ = try await isKnown("job \(number)", at: number, size: size) }
            // One more than fits has been stored by the time the others are counted.
            for number in count - 6...count {
                let found = try await isKnown("k\(number)", at: count)
                try expect(found, is: true, "whether key \(number) is known")
            }
            let theirs = try await isKnown("theirs", at: count, by: Sample.teacher)
            try expect(theirs, is: true, "whether another account's key is known")
            let oldest = try await isKnown("k1", at: count)
            try expect(oldest, is: false, "whether the oldest key is known")
            let job = try await isKnown("job 0", at: count)
            try expect(job, is: false, "whether a job's oldest key is known")
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
