import Database
import PostgreSQL
import PostgreSQLTestKit
import PostgresStore
import Records
import RelationalStore
import Shared
@testable import StoreContract
import TestKit
import Testing

@Suite struct `The writer of a PostgreSQL store` {
    private struct Refusal: Error {}

    private func numbers(in store: PostgresStore) async throws -> [Int] {
        try await store.read { try $0.all("SELECT n FROM t ORDER BY n") { $0.integer(0) } }
    }

    private func open() async throws -> PostgresPlace {
        let place = try PostgresPlace.new()
        try await place.postgres.write { try $0.connection.execute("CREATE TABLE t (n BIGINT UNIQUE)") }
        return place
    }

    @Test func `makes the other changes of a group when one is refused after it has written`() async throws {
        let place = try await open()
        let store = place.postgres
        let ends = await place.inOneBatch(
            (1...5).map { number in
                { _ in
                    try await store.write { transaction in
                        try transaction.connection.run("INSERT INTO t (n) VALUES (?)", .integer(number))
                        if number == 3 { throw Refusal() }
                    }
                }
            })
        #expect(ends.map { $0 is Refusal } == [false, false, true, false, false])
        #expect(ends.map { $0 == nil } == [true, true, false, true, true])
        #expect(try await numbers(in: store) == [1, 2, 4, 5])
        await place.close()
    }

    @Test func `blames the change whose statement the database refuses, though it was queued`() async throws {
        let place = try await open()
        let store = place.postgres
        let ends = await place.inOneBatch(
            [1, 2, 1, 3].map { number in
                { _ in
                    try await store.write {
                        try $0.connection.run("INSERT INTO t (n) VALUES (?)", .integer(number))
                    }
                }
            })
        #expect(ends.map { $0 as? StoreError } == [nil, nil, .taken(field: "n"), nil])
        #expect(try await numbers(in: store) == [1, 2, 3])
        await place.close()
    }

    @Test func `refuses changes while the server is away, and makes them again when it is back`() async throws {
        let cluster = try PostgreSQLCluster()
        var options = PostgresStoreOptions(cluster.settings)
        options.readers = 1
        options.reconnectDelay = .zero
        _ = try PostgresStores(options).migrate()
        let store = try PostgresStore.open(options)
        try await store.write { try $0.connection.execute("CREATE TABLE t (n BIGINT UNIQUE)") }
        cluster.stop()
        await #expect(throws: StoreError.self) {
            try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (1)") }
        }
        #expect(await !store.isReadable())
        try cluster.start()
        try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (2)") }
        #expect(try await numbers(in: store) == [2])
        await store.close()
    }

    @Test func `changes the records of a group in two round trips`() async throws {
        let place = try PostgresPlace.new()
        let store = place.postgres
        for number in 1...6 { try await store.create("r\(number)") }
        let access = try await store.access()
        let key = IdempotencyKey(key: "once", digest: [1])
        let before = try await store.roundTrips()
        let ends = await place.inOneBatch(
            [1, 2, 3, 4, 5, 6, 1].enumerated().map { place, number in
                { store in
                    let context = store.context(key: number == 6 ? key : nil, access: access)
                    _ = try await store.amend(RecordID("r\(number)"), by: context) { _ in
                        Sample.amendment("\(place + 1)")
                    }
                }
            })
        #expect(ends.allSatisfy { $0 == nil })
        // Besides the group: the commit of the first count, the change that the group waits behind, and the lock of the
        // second count.
        #expect(try await store.roundTrips() - before == 2 + 1 + 2 + 1)
        #expect(try await store.found("r1").fullVersion == 3)
        #expect(try await place.faults() == [])
        await place.close()
    }

    @Test func `sees in a change what another kind of change of the group has done`() async throws {
        let place = try PostgresPlace.new()
        let store = place.postgres
        try await store.create("r1")
        let access = try await store.access()
        let ends = await place.inOneBatch([
            { _ in try await place.raiseAccess(of: .account(Sample.student)) },
            { _ in
                _ = try await store.amend(RecordID("r1"), by: store.context(access: access)) { _ in
                    Sample.amendment("later")
                }
            },
        ])
        #expect(ends.map { $0 == nil } == [true, false])
        #expect(try await store.found("r1").fullVersion == 1)
        await place.close()
    }

    @Test func `leaves nothing of itself when it is closed, and then a program gets the database alone`() async throws {
        let place = try await open()
        let stores = PostgresStores(PostgresPlace.options(place.database))
        let connection = try PostgreSQLConnection(place.database.settings)
        #expect(try stores.migrate() == [])
        func refusal() -> StoreError? {
            do {
                _ = try stores.migrate()
                return nil
            } catch {
                return error as? StoreError
            }
        }
        let inUse = StoreError.unavailable("another server uses the database")
        // Beside two steps no server goes on, whatever they are.
        let steps = try connection.all("SELECT name FROM migrations ORDER BY number") { $0.text(0) }
        for step in steps.suffix(2) { try connection.run("DELETE FROM migrations WHERE name = ?", .text(step)) }
        #expect(refusal() == inUse)
        await place.close()
        #expect(refusal() != inUse)
        for step in steps.suffix(2) { try connection.run("INSERT INTO migrations (name) VALUES (?)", .text(step)) }
        let next = try PostgresStore.open(PostgresPlace.options(place.database))
        let writers = try await next.read { try $0.first("SELECT count(*) FROM writers") { $0.integer(0) } }
        // Its own.
        #expect(writers == 1)
        await next.close()
    }
}

extension PostgresStore {
    /// How often the writer's connection has waited for the server, up to this change's own lock.
    fileprivate func roundTrips() async throws -> Int {
        try await write { transaction in
            guard case .postgreSQL(let connection) = transaction.connection.driver else { return 0 }
            return connection.roundTrips
        }
    }
}
