import SQLite
import SQLiteStore
import Storage
import TestKit
import Testing

@Suite struct `Idempotency of any route` {
    let directory: TemporaryDirectory
    let store: SQLiteStore
    let account = AccountID("a")
    let now = Instant(microseconds: 1_000_000_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore.open(path: directory.file("a.db"), digest: toyDigest)
    }

    private func ask(
        _ key: String, body: UInt8 = 1, at: Instant? = nil, answer: StoredAnswer
    ) async throws -> (answer: StoredAnswer, isReplay: Bool) {
        let key = IdempotencyKey(key: key, digest: [body])
        let at = at ?? now
        return try await store.write { [account] in try $0.idempotent(key, account: account, at: at) { answer } }
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

    @Test func `without a key does it every time`() async throws {
        let times = try await store.write { [account, now] transaction in
            var times = 0
            for _ in 1...3 {
                _ = try transaction.idempotent(nil, account: account, at: now) {
                    times += 1
                    return StoredAnswer(status: 200, body: [])
                }
            }
            return times
        }
        #expect(times == 3)
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
