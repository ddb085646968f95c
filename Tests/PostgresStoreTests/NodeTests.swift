import DataStore
import Database
import PostgreSQL
import PostgresStore
@testable import RelationalStore
import Shared
import StoreContract
import TestKit
import Testing

/// Two nodes over one database; each tells what it learns.
private final class Pair: Sendable {
    /// A node that follows the other.
    struct Node {
        let store: PostgresStore
        let told = Recorder<StoreEvent>()
        let heard = Recorder<WakeUp>()
        let lost = Recorder<Bool>()
        let following: Task<Void, Never>

        init(_ database: StoreDatabase) throws {
            let (told, heard, lost) = (told, heard, lost)
            let store = try PostgresStore.open(PostgresPlace.options(database)) { commit in
                for event in commit.events { told.record(event) }
            }
            self.store = store
            let others = OtherNodes(
                heard: { for wakeUp in $0 { heard.record(wakeUp) } }, lostTrack: { lost.record(true) })
            following = Task { await store.heedOthers(others) }
        }

        func close() async {
            following.cancel()
            await following.value
            await store.close()
        }
    }

    let database: StoreDatabase
    let first: Node
    let second: Node

    init() throws {
        database = try StoreDatabase()
        first = try Node(database)
        second = try Node(database)
    }

    func close() async {
        await first.close()
        await second.close()
    }
}

/// Waits until a condition holds.
private func expectSoon(_ what: String, _ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(Patience.seconds)
    while try await !condition() {
        try #require(ContinuousClock.now < end, "never: \(what)")
        await Task.yield()
    }
}

@Suite struct `Two nodes over one database` {
    private let account = AccountID("a")

    @Test func `learn from the log what the other took away, and trust nothing before they follow it`() async throws {
        let pair = try Pair()
        let (a, b) = (pair.first, pair.second)
        let cache = AccessCache<String, Int>(capacity: 10, news: b.store.accessNews)
        try await expectSoon("both follow") { a.store.accessNews.isFollowed && b.store.accessNews.isFollowed }
        cache.keep(1, for: "role", restingOn: .account(account), readAt: cache.moment)
        #expect(cache.value("role") == 1)
        let rows = (0..<3).map { EnrolmentID("e\($0)") }
        try await a.store.write { [account] in
            try $0.raiseAccess(of: .account(account))
            $0.post(.accessChanged(account))
            $0.post(.classAudienceChanged(ClassID("c"), rows: rows))
        }
        #expect(try await a.store.isHeeded(within: .seconds(Patience.seconds)))
        #expect(cache.value("role") == nil)
        #expect(b.told.items == [.accessChanged(account), .classAudienceChanged(ClassID("c"), rows: rows)])
        #expect(a.told.items == b.told.items, "each once")
        #expect(b.lost.items.isEmpty)
        b.following.cancel()
        await b.following.value
        try await expectSoon("a node that follows no longer trusts nothing") { !b.store.accessNews.isFollowed }
        await pair.close()
    }

    @Test func `wake each other, and go on when the connection that listens has ended`() async throws {
        let pair = try Pair()
        let (a, b) = (pair.first, pair.second)
        try await expectSoon("a wake-up comes") {
            a.store.tellOthers(.feed(of: account))
            return b.heard.items.contains(.feed(of: account))
        }
        #expect(!a.heard.items.contains(.feed(of: account)))
        try PostgreSQLConnection(pair.database.settings).run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        try await expectSoon("what was missed counts as changed") { b.heard.items.count { $0 == .everything } >= 2 }
        try await expectSoon("a wake-up comes again") {
            a.store.tellOthers(.feedsOf(InstitutionID("i")))
            return b.heard.items.contains(.feedsOf(InstitutionID("i")))
        }
        await pair.close()
    }

    @Test func `write one after the other, each on what the other committed`() async throws {
        let pair = try Pair()
        let (a, b) = (pair.first.store, pair.second.store)
        try await a.write { try $0.connection.execute("CREATE TABLE t (n BIGINT UNIQUE)") }
        try await withThrowingTaskGroup { group in
            for number in 0..<60 {
                group.addTask {
                    try await (number % 2 == 0 ? a : b).write { transaction in
                        let count = try transaction.connection.first("SELECT count(*) FROM t") { $0.integer(0) }
                        try transaction.connection.run("INSERT INTO t VALUES (?)", .integer(count ?? 0))
                    }
                }
            }
            try await group.waitForAll()
        }
        let numbers = try await b.read { try $0.all("SELECT n FROM t ORDER BY n") { $0.integer(0) } }
        #expect(numbers == Array(0..<60))
        await pair.close()
    }

    @Test func `keep each other's claims, which end with the last node`() async throws {
        let database = try StoreDatabase()
        let options = PostgresPlace.options(database)
        let first = try PostgresStore.open(options)
        try await first.write {
            try $0.connection.run(
                """
                INSERT INTO mails (id, kind, recipient, recipient_key, language, particulars, created_at, expires_at,
                    due_at, leased_until, attempts) VALUES ('m', 'notice', 'a@b', 'a@b', 'en', '{}', 1, 2, 1, 9, 0)
                """)
        }
        func lease(in store: PostgresStore) async throws -> Int? {
            try await store.read { try $0.first("SELECT leased_until FROM mails") { $0.optionalInteger(0) } } ?? nil
        }
        let second = try PostgresStore.open(options)
        #expect(try await lease(in: second) == 9)
        await first.close()
        await second.close()
        let next = try PostgresStore.open(options)
        #expect(try await lease(in: next) == nil)
        await next.close()
    }

    @Test func `share one key file`() async throws {
        let pair = try Pair()
        let stores = PostgresStores(PostgresPlace.options(pair.database))
        #expect(try !stores.hasKeyCheck())
        #expect(try stores.admit(keyCheck: [1, 2]))
        #expect(try stores.admit(keyCheck: [1, 2]))
        #expect(try !stores.admit(keyCheck: [3]))
        #expect(try stores.hasKeyCheck())
        await pair.close()
    }

    @Test func `run with a schema that is one step ahead, if that step lets them`() async throws {
        let pair = try Pair()
        await pair.close()
        let connection = try PostgreSQLConnection(pair.database.settings)
        func refusal() -> StoreError? {
            #expect(throws: StoreError.self) { try PostgresStore.open(PostgresPlace.options(pair.database)) }
        }
        try connection.run("INSERT INTO migrations (name, expands) VALUES ('next', true)")
        let ahead = try PostgresStore.open(PostgresPlace.options(pair.database))
        #expect(await ahead.checkWritable())
        await ahead.close()
        try connection.run("UPDATE migrations SET expands = false WHERE name = 'next'")
        #expect(refusal() != nil)
        try connection.run("UPDATE migrations SET expands = true WHERE name = 'next'")
        try connection.run("INSERT INTO migrations (name, expands) VALUES ('after', true)")
        #expect(refusal() != nil)
    }

    @Test func `let a program beside them take one step of the schema, if it only adds something`() throws {
        let database = try StoreDatabase(isEmpty: true)
        let connection = Connection(try PostgreSQLConnection(database.settings))
        func migrator(_ steps: [Migration]) -> Migrator { Migrator(migrations: Schema.migrations + steps) }
        func step(_ name: String, expands: Bool = true) -> Migration {
            Migration(name: name, expands: expands, script: "CREATE TABLE \(name) (n INTEGER) STRICT;")
        }
        #expect(try !migrator([]).expands(connection), "an empty database has no servers")
        try migrator([]).bringUpToDate(connection)
        #expect(try migrator([step("next")]).expands(connection))
        #expect(try !migrator([step("next", expands: false)]).expands(connection))
        #expect(try !migrator([step("next"), step("after")]).expands(connection))
        try migrator([step("next")]).bringUpToDate(connection)
        try PostgresStores(PostgresPlace.options(database)).check()
        try migrator([step("next"), step("after", expands: false)]).bringUpToDate(connection)
        #expect(throws: StoreError.self) { try PostgresStores(PostgresPlace.options(database)).check() }
    }
}
