import Classes
import DataStore
import Database
import Gradebook
import JSON
import People
import PostgreSQL
import PostgresStore
import Records
@testable import RelationalStore
import Shared
@testable import StoreContract
import TestKit
import Testing

/// Two nodes over one database.
private struct Crossing: Sendable {
    let database: StoreDatabase
    let first: PostgresPlace
    let second: PostgresPlace
    let access: AccessVersions

    init() async throws {
        database = try StoreDatabase()
        first = try PostgresPlace.open(database)
        second = try PostgresPlace.open(database)
        for record in ["r1", "r2"] { try await first.postgres.create(record) }
        access = try await first.postgres.access()
    }

    /// Writes a text into a record.
    func put(
        _ text: String, in record: String, at place: PostgresPlace, key: IdempotencyKey? = nil
    ) async throws {
        let context = place.postgres.context(key: key, access: access)
        _ = try await place.postgres.amend(RecordID(record), by: context) { _ in Sample.amendment(text) }
    }

    func close() async {
        await first.close()
        await second.close()
    }
}

/// Stops changes of the record `r1` before they are committed, and tells who waits.
private struct Barrier {
    struct TookTooLong: Error {}

    private let holder: PostgreSQLConnection
    private let database: Int?

    init(_ nodes: Crossing) async throws {
        holder = try PostgreSQLConnection(nodes.database.settings)
        database = try holder.first("SELECT oid::bigint FROM pg_database WHERE datname = current_database()") {
            $0.integer(0)
        }
        try await nodes.first.postgres.write {
            try $0.connection.execute(
                """
                CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END $$;
                CREATE TRIGGER stop BEFORE UPDATE ON records FOR EACH ROW WHEN (NEW.id = 'r1') EXECUTE FUNCTION stop()
                """)
        }
    }

    func stop() throws { try holder.run("SELECT pg_advisory_lock(7)") }
    func release() throws { _ = try holder.first("SELECT pg_advisory_unlock(7)") { $0.boolean(0) } }

    /// Asks until so many transactions wait for locks.
    func waitUntilWaiting(_ count: Int) async throws {
        try await waitUntil("SELECT count(*) FROM pg_locks WHERE NOT granted AND database = ?", is: count)
    }

    /// Asks until a reader has asked who writes.
    func waitUntilAsked() async throws {
        try await waitUntil(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datid = ? AND pid <> pg_backend_pid() AND query LIKE '%virtualtransaction%'
            """, is: 1)
    }

    private func waitUntil(_ question: String, is count: Int) async throws {
        let end = ContinuousClock.now + .seconds(Patience.seconds)
        while try holder.first(question, .integer(database), read: { $0.integer(0) }) != count {
            guard ContinuousClock.now < end else { throw TookTooLong() }
            await Task.yield()
        }
    }
}

@Suite(.serialized) struct `Two nodes that write at once` {
    @Test func `change different records beside each other, and one record one after the other`() async throws {
        let nodes = try await Crossing()
        let barrier = try await Barrier(nodes)
        try barrier.stop()
        async let slow: Void = nodes.put("1", in: "r1", at: nodes.first)
        try await barrier.waitUntilWaiting(1)
        try await nodes.put("2", in: "r2", at: nodes.second)
        async let next: Void = nodes.put("3", in: "r1", at: nodes.second)
        try await barrier.waitUntilWaiting(2)
        try barrier.release()
        _ = try await (slow, next)
        let (one, two) = (try await nodes.first.postgres.found("r1"), try await nodes.first.postgres.found("r2"))
        #expect((one.fullVersion, two.fullVersion) == (3, 2))
        #expect(one.full == Sample.amendment("3").full)
        #expect(try await nodes.first.faults() == [])
        await nodes.close()
    }

    @Test func `let nobody who follows the changes pass one whose number is lower and which is committed later`()
        async throws
    {
        let nodes = try await Crossing()
        let barrier = try await Barrier(nodes)
        let (records, feed) = (nodes.second.data.browser, nodes.second.data.people)
        let start = try await records.lastChange()
        try barrier.stop()
        async let slow: Void = nodes.put("1", in: "r1", at: nodes.first)
        try await barrier.waitUntilWaiting(1)
        try await nodes.put("2", in: "r2", at: nodes.second)
        async let changed = records.changed(after: start, limit: 9)
        async let slice = feed.feedSlice(limit: 9)
        try await barrier.waitUntilAsked()
        try barrier.release()
        try await slow
        let (found, read) = try await (changed, slice)
        #expect(Set(found.records) == [RecordID("r1"), RecordID("r2")])
        #expect(read.to.changes == start + 2)
        #expect(try await records.lastChange() == start + 2)
        await nodes.close()
    }

    @Test func `give one answer to a key that comes to both`() async throws {
        let nodes = try await Crossing()
        let barrier = try await Barrier(nodes)
        try barrier.stop()
        let keys = [IdempotencyKey(key: "once", digest: [1]), IdempotencyKey(key: "once", digest: [2])]
        async let slow: Void = nodes.put("1", in: "r1", at: nodes.first, key: keys[0])
        try await barrier.waitUntilWaiting(1)
        let other = Task { try await nodes.put("2", in: "r2", at: nodes.second, key: keys[1]) }
        try await barrier.waitUntilWaiting(2)
        try barrier.release()
        try await slow
        await #expect(throws: StoreError.idempotencyMismatch) { try await other.value }
        #expect(try await nodes.second.postgres.found("r2").fullVersion == 1)
        await nodes.close()
    }

    @Test func `write nothing on a right that the other has taken away`() async throws {
        let nodes = try await Crossing()
        let barrier = try await Barrier(nodes)
        let (gate, taking) = (Gate(), nodes.first.postgres)
        let taken = Task {
            try await taking.write {
                try $0.raiseAccess(of: .account(Sample.student))
                _ = try $0.connection.changes
                gate.pass()
            }
        }
        await gate.waitUntilReached()
        let late = Task { try await nodes.put("1", in: "r2", at: nodes.second) }
        try await barrier.waitUntilWaiting(1)
        gate.open()
        try await taken.value
        await #expect(throws: StoreError.moved) { try await late.value }
        #expect(try await nodes.second.postgres.found("r2").fullVersion == 1)
        await nodes.close()
    }

    @Test func `enter results in one class, and change its records, without losing any of it`() async throws {
        let nodes = try await Crossing()
        let rooms = [SampleClass(place: nodes.first), SampleClass(place: nodes.second)]
        try await rooms[0].found()
        let names = ["ada", "bob", "eve"]
        for name in names { try await rooms[0].enrol(name) }
        let before = try await rooms[0].snapshot().version
        let acts = Recorder<Bool>()
        try await withThrowingTaskGroup { group in
            for number in 0..<30 {
                group.addTask {
                    let cell = rooms[0].cell("l\(2 + number % 2)", .number("\(number % 9)"), of: names[number % 3])
                    let done = try await rooms[number % 2].enter(cell, mode: .all)
                    // The act that says what is there already changes nothing.
                    acts.record(done.value.faults.isEmpty)
                }
                group.addTask {
                    let place = number % 2 == 0 ? nodes.first : nodes.second
                    try await nodes.put("\(number + 1)", in: "r2", at: place)
                }
            }
            try await group.waitForAll()
        }
        #expect(acts.items.count == 30 && acts.items.allSatisfy { $0 })
        #expect(try await nodes.first.postgres.found("r2").fullVersion == 31)
        #expect(try await rooms[1].snapshot().version > before)
        #expect(try await nodes.second.faults() == [])
        await nodes.close()
    }

    @Test func `forget the oldest answers without waiting for one that the other is at`() async throws {
        let nodes = try await Crossing()
        let store = nodes.first.postgres
        // A wait becomes an error.
        try await store.write { try $0.connection.execute("SET lock_timeout = 1") }
        func isKnown(_ number: Int) async throws -> Bool {
            try await store.kept(
                String(repeating: "a", count: IdempotencyKey.most / 4), facts: nil, in: "r1",
                key: IdempotencyKey(key: "k\(number)", digest: [1]), at: Sample.now.adding(seconds: Int64(number))
            ).isReplay
        }
        for number in 1...2 { #expect(try await !isKnown(number)) }
        let other = try PostgreSQLConnection(nodes.database.settings)
        try other.begin(.readCommitted)
        #expect(try other.first("SELECT 1 FROM idempotency WHERE key = 'k1' FOR UPDATE") { $0.integer(0) } == 1)
        for number in 3...8 { #expect(try await !isKnown(number)) }
        other.rollBack()
        #expect(try await isKnown(1))
        #expect(try await !isKnown(2))
        await nodes.close()
    }

    @Test func `repeat a change alone that reaches further than it said`() async throws {
        let nodes = try await Crossing()
        let store = nodes.first.postgres
        try await store.write(within: .only([.record(RecordID("r1"))])) {
            try $0.raiseAccess(of: .account(Sample.student))
        }
        #expect(try await store.access().account == nodes.access.account + 1)
        await nodes.close()
    }
}

@Suite struct `What a group of changes has to itself` {
    private let record = WriteSubject.record(RecordID("r"))

    @Test func `is all that its changes have, each lock once and in order`() {
        let taught = WriteSubject.taughtClass(ClassID("r"))
        let joined = WriteReach.joining([.only([record]), .only([taught, record])])
        #expect(joined == .only([record, taught]))
        #expect(joined.lockNumbers == [record.lockNumber, taught.lockNumber].sorted())
        #expect(record.lockNumber != taught.lockNumber)
        // So many that no other order happens to be the rising one.
        let many = (1...20).map { WriteSubject.record(RecordID("r\($0)")) }
        #expect(WriteReach.only(Set(many)).lockNumbers == many.map(\.lockNumber).sorted())
    }

    @Test func `is everything with one that has everything, and beyond the limit`() {
        #expect(WriteReach.joining([.only([record]), .everything]) == .everything)
        let many = (0...WriteReach.greatest).map { WriteReach.only([.record(RecordID("\($0)"))]) }
        #expect(WriteReach.joining(many) == .everything)
        #expect(WriteReach.joining(many.dropLast()) != .everything)
    }
}
