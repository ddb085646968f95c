import Cryptography
import Database
@testable import RelationalStore
@testable import SQLiteStore
import SQLite
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

    @Test func `is decided before anything is written, so that a refusal has no batch made again`() async throws {
        let (gate, runs) = (Gate(), Recorder<Int>())
        let kept = KeptAnswer(
            key: IdempotencyKey(key: "k", digest: [1]), account: account, at: now,
            answer: StoredAnswer(.created, body: []))
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

    @Test func `an answer that an older version kept under an HTTP status is given again`() async throws {
        let path = directory.file("old.db")
        let steps = Schema.migrations.prefix { $0.name != Schema.answerKinds.name }
        let statuses = [200, 201, 202, 204]
        do {
            let connection = try Connection(path: path, access: .create)
            try Migrator(migrations: Array(steps)).bringUpToDate(connection)
            for status in statuses {
                try connection.run(
                    """
                    INSERT INTO idempotency (account, key, digest, status, body, at) VALUES ('a', ?, x'01', ?, x'02', ?)
                    """,
                    .text("\(status)"), .integer(status), .integer(now.microseconds))
            }
        }
        let upgraded = try SQLiteStore.open(path: path)
        var found: [StoredAnswer?] = []
        for status in statuses {
            let key = IdempotencyKey(key: "\(status)", digest: [1])
            found.append(try await upgraded.answer(under: key, of: account, at: now)?.answer)
        }
        #expect(found == [.changed, .created, .begun, .deleted].map { StoredAnswer($0, body: [2]) })
        await upgraded.close()
        await store.close()
    }

    @Test func `costs at most 300 bytes for a grade`() async throws {
        func pages() async throws -> Int {
            try await store.read { try $0.first("PRAGMA page_count") { $0.integer(0) } ?? 0 }
        }
        let (count, identifiers) = (20_000, UUIDSource(milliseconds: { 1_700_000_000_000 }))
        let (accounts, epoch) = ((1...60).map { _ in AccountID(identifiers.next()) }, Epoch("1abcdefghijkl"))
        let before = try await pages()
        try await store.write { [now] transaction in
            for number in 1...count {
                let revision = Revision(epoch: epoch, version: number)
                try transaction.keep(
                    KeptAnswer(
                        key: IdempotencyKey(key: identifiers.next(), digest: [UInt8](repeating: 7, count: 32)),
                        account: accounts[number % accounts.count], at: now.adding(seconds: 1),
                        answer: StoredAnswer(
                            .created, body: [UInt8](repeating: 1, count: 4_500),
                            facts: Array("+\(identifiers.next())".utf8)),
                        revision: revision))
            }
        }
        let bytes = (try await pages() - before) * 4096 / count
        #expect(bytes <= 300)
        await store.close()
    }

    @Test func `removes expired keys as new ones come`() async throws {
        func keep(_ key: String, at moment: Timestamp) async throws {
            let kept = KeptAnswer(
                key: IdempotencyKey(key: key, digest: [1]), account: account, at: moment,
                answer: StoredAnswer(.changed, body: []))
            try await store.write { try $0.keep(kept) }
        }
        for number in 1...200 { try await keep("old\(number)", at: now) }
        let later = now.adding(seconds: IdempotencyKey.lifetime)
        for number in 1...200 { try await keep("new\(number)", at: later) }
        let left = try await store.read { try $0.first("SELECT count(*) FROM idempotency") { $0.integer(0) } }
        #expect(left == 200)
        await store.close()
    }
}
