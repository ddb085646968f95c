import SQLite
@testable import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct `Idempotency of any route` {
    let directory: TemporaryDirectory
    let store: SQLiteStore
    let account = AccountID("a")
    let now = Timestamp(microseconds: 1_000_000_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore.open(path: directory.file("a.db"))
    }

    private func ask(
        _ key: String, body: UInt8 = 1, at: Timestamp? = nil, answer: StoredAnswer
    ) async throws -> (answer: StoredAnswer, isReplay: Bool) {
        let kept = KeptAnswer(
            key: IdempotencyKey(key: key, digest: [body]), account: account, at: at ?? now, answer: answer)
        if let first = try await store.answer(under: kept.key, of: account, at: kept.at) { return (first.answer, true) }
        try await store.write { try $0.keep(kept) }
        return (answer, false)
    }

    @Test func `gives the first answer again`() async throws {
        let first = StoredAnswer(status: 201, body: [1, 0, 255])
        #expect(try await ask("k", answer: first) == (first, false))
        #expect(try await ask("k", answer: StoredAnswer(status: 200, body: [])) == (first, true))
        await #expect(throws: StoreError.idempotencyMismatch) { _ = try await ask("k", body: 2, answer: first) }
        await store.close()
    }

    @Test func `keeps only what succeeded`() async throws {
        let refusal = StoredAnswer(status: 422, body: [])
        let success = StoredAnswer(status: 200, body: [])
        #expect(try await ask("k", answer: refusal) == (refusal, false))
        #expect(try await ask("k", answer: success) == (success, false))
        await store.close()
    }

    @Test func `undoes the change of whoever comes second`() async throws {
        let kept = KeptAnswer(
            key: IdempotencyKey(key: "k", digest: [1]), account: account, at: now,
            answer: StoredAnswer(status: 201, body: [1]), revision: Revision(epoch: store.epoch, version: 7))
        func change() async throws {
            try await store.write { transaction in
                try transaction.connection.run("UPDATE store SET probes = probes + 1")
                try transaction.keep(kept)
            }
        }
        try await change()
        await #expect(throws: StoreError.taken(field: "key")) { try await change() }
        #expect(try await store.read { try $0.first("SELECT probes FROM store") { $0.integer(0) } } == 1)
        #expect(try await store.answer(under: kept.key, of: account, at: now) == kept)
        #expect(try await store.answer(under: kept.key, of: AccountID("b"), at: now) == nil)
        await store.close()
    }

    @Test func `is decided before anything is written, so that a refusal has no batch made again`() async throws {
        let (gate, runs) = (Gate(), Recorder<Int>())
        let kept = KeptAnswer(
            key: IdempotencyKey(key: "k", digest: [1]), account: account, at: now,
            answer: StoredAnswer(status: 201, body: []))
        try await store.write { transaction in
            try transaction.connection.run(
                """
                INSERT INTO institutions (id, created_at, slug, title, locale, open)
                VALUES ('school', 0, 'taken', 'School', 'en', 0)
                """)
        }
        // The first change holds the batch open until the other is queued behind it.
        let first = Task {
            try await store.write { transaction in
                try transaction.connection.run("UPDATE store SET probes = probes + 1")
                runs.record(1)
                gate.pass()
            }
        }
        await gate.waitUntilReached()
        let second = Task {
            try await store.write { transaction in
                let claim = UniqueClaim(.slug, "taken", for: "other")
                try transaction.apply(WritePlan<Never, Void>(claims: [claim], [], kept: kept)) { _ in }
            }
        }
        while store.waitingWrites == 0 { await Task.yield() }
        gate.open()
        try await first.value
        await #expect(throws: StoreError.taken(field: "slug")) { try await second.value }
        #expect(runs.items == [1])
        #expect(try await store.answer(under: kept.key, of: account, at: now) == nil)
        await store.close()
    }

    @Test func `removes expired keys as new ones come`() async throws {
        let answer = StoredAnswer(status: 200, body: [])
        for number in 1...200 { _ = try await ask("old\(number)", answer: answer) }
        let later = now.adding(seconds: IdempotencyKey.lifetime)
        for number in 1...200 { _ = try await ask("new\(number)", at: later, answer: answer) }
        let left = try await store.read { try $0.first("SELECT count(*) FROM idempotency") { $0.integer(0) } }
        #expect(left == 200)
        await store.close()
    }
}
