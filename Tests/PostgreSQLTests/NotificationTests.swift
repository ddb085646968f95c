import PostgreSQL
import PostgreSQLTestKit
import Testing
import TestKit

@Suite struct `A notification` {
    let database: TestDatabase
    let listener: PostgreSQLConnection
    let sender: PostgreSQLConnection
    private var late: ContinuousClock.Instant { .now + .seconds(Patience.seconds) }

    init() throws {
        database = try TestDatabase()
        listener = try database.connect()
        sender = try database.connect()
    }

    /// A name that only this test uses: channels are shared by the whole database.
    private func channel(_ name: String) throws -> String { "\(name) \"\(sender.processID)\" é" }

    @Test func `wakes the connection that waits for it`() throws {
        let channel = try channel("Wake")
        try listener.listen(channel)
        let handed = Handed(connection: listener)
        let late = late
        let waiting = try BackgroundWork { try handed.connection.waitForNotifications(until: late) }
        try database.connect().waitUntil(listener.processID, waitsFor: "ClientRead")
        try sender.notify(channel, "topic/1 ?")
        let notification = try waiting.finish()?.first
        #expect(notification?.channel == channel)
        #expect(notification?.payload == "topic/1 ?")
        #expect(notification?.sender == sender.processID)
    }

    @Test func `is kept while something else is waited for, in order`() throws {
        let channel = try channel("Kept")
        try listener.listen(channel)
        for number in 1...3 { try sender.notify(channel, "\(number)") }
        #expect(try listener.number("SELECT 1") == 1)
        var payloads: [String] = []
        while payloads.count < 3 { payloads += try listener.waitForNotifications(until: late).map(\.payload) }
        #expect(payloads == ["1", "2", "3"])
    }

    @Test func `leaves a transaction with its commit, and not with its rollback`() throws {
        let channel = try channel("Commit")
        try listener.listen(channel)
        try sender.begin(.readCommitted)
        try sender.notify(channel, "dropped")
        try sender.flush()
        sender.rollBack()
        try sender.withTransaction(.readCommitted) { try sender.notify(channel, "kept") }
        #expect(try listener.waitForNotifications(until: late).map(\.payload) == ["kept"])
    }

    @Test func `comes no more after the subscription has ended`() throws {
        let (first, second) = (try channel("First"), try channel("Second"))
        try listener.listen(first)
        try listener.listen(second)
        try listener.unlisten(first)
        try sender.notify(first)
        try sender.notify(second)
        #expect(try listener.waitForNotifications(until: late).map(\.channel) == [second])
    }

    @Test func `need not come: the wait ends when it is interrupted, or at its time`() throws {
        try listener.listen(try channel("Never"))
        #expect(try listener.waitForNotifications(until: .now) == [])
        // Before the wait.
        listener.interrupter.interrupt()
        #expect(try listener.waitForNotifications(until: late) == [])
        // During it.
        let interrupter = listener.interrupter
        let handed = Handed(connection: listener)
        let late = late
        let waiting = try BackgroundWork { try handed.connection.waitForNotifications(until: late) }
        interrupter.interrupt()
        #expect(try waiting.finish() == [])
        #expect(try listener.number("SELECT 1") == 1)
    }

    @Test func `is dropped and counted when too many wait`() throws {
        let channel = try channel("Many")
        try listener.listen(channel)
        try sender.run("SELECT pg_notify(?, n::text) FROM generate_series(1, 20000) n", .text(channel))
        let end = late
        while listener.droppedNotifications < 20_000 - 16_384 {
            #expect(try listener.number("SELECT 1") == 1)
            guard ContinuousClock.now < end else { throw TookTooLong() }
        }
        let payloads = try listener.waitForNotifications(until: late).map(\.payload)
        #expect(payloads == (1...16_384).map(String.init))
        #expect(listener.droppedNotifications == 20_000 - 16_384)
    }

    @Test(arguments: ["", String(repeating: "x", count: 64), "a\u{0}"])
    func `has a channel with a proper name`(name: String) throws {
        let error = #expect(throws: PostgreSQLError.self) { try listener.listen(name) }
        #expect(error?.kind == .misuse)
    }
}
