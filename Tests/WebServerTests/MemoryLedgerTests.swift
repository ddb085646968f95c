import Glibc
import HTTP
import TestKit
import Testing
import Transport

@testable import WebServer

@Suite struct `A memory ledger` {
    /// Shares of a ledger, and which of them had to give way, in order.
    private final class Book {
        let ledger: MemoryLedger
        private var shares: [Int: MemoryShare] = [:]
        private let gone = Recorder<Int>()
        private let start = MonotonicInstant.now()

        init(limit: Int, limitPerPayer: Int) { ledger = MemoryLedger(limit: limit, limitPerPayer: limitPerPayer) }

        var left: [Int] { gone.items }

        func hold(_ name: Int, _ bytes: Int, of payer: String = "ada", at seconds: Int) {
            let moment = start + .seconds(seconds)
            let share =
                shares[name] ?? ledger.share(for: .account(payer), at: moment) { [gone] in gone.record(name) }
            shares[name] = share
            share.hold(bytes, moved: moment)
        }

        func charge(_ name: Int, to payer: String) { shares[name]?.charge(to: .account(payer)) }

        func pin(_ name: Int) { shares[name]?.pin() }

        func letGo(_ name: Int) { shares[name] = nil }
    }

    @Test func `counts what is held, until it is let go of`() {
        let book = Book(limit: 1_000, limitPerPayer: 1_000)
        book.hold(1, 300, at: 0)
        book.hold(2, 200, of: "bob", at: 0)
        #expect(book.ledger.bytes == 500)
        book.hold(1, 100, at: 1)
        #expect(book.ledger.bytes == 300)
        book.letGo(1)
        book.letGo(1)
        #expect(book.ledger.bytes == 200 && book.left.isEmpty)
    }

    @Test func `lets those of a payer go that have moved least recently`() {
        let book = Book(limit: 100_000, limitPerPayer: 800)
        book.hold(9, 5_000, of: "bob", at: 0)
        for name in 1...4 { book.hold(name, 250, at: name) }
        book.hold(1, 240, at: 5)
        #expect(book.left.isEmpty)  // without the largest they are within the limit
        book.hold(5, 250, at: 6)
        #expect(book.left == [2, 3])  // down to seven eighths of it
        #expect(book.ledger.bytes == 5_000 + 240 + 2 * 250 && book.ledger.evictions == 2)
    }

    @Test func `lets anybody's go when all together hold too much`() {
        let book = Book(limit: 800, limitPerPayer: 700)
        for name in 1...4 { book.hold(name, 250, of: "\(name)", at: -name) }
        book.hold(5, 250, of: "5", at: 1)
        #expect(book.left == [4, 3])
    }

    @Test func `gives anybody an answer of any size`() {
        let book = Book(limit: 100, limitPerPayer: 100)
        book.hold(1, 1_000_000, at: 0)
        book.hold(2, 60, at: 1)
        book.hold(1, 900_000, at: 2)
        #expect(book.left.isEmpty)
    }

    @Test func `keeps what is pinned, and counts it`() {
        let book = Book(limit: 100_000, limitPerPayer: 800)
        for name in 1...3 {
            book.hold(name, 400, at: name)
            book.pin(name)
        }
        book.hold(4, 100, at: 4)
        #expect(book.left == [4])
        book.letGo(1)
        book.hold(5, 100, at: 5)
        #expect(book.left == [4])
    }

    @Test func `moves bytes from one payer to another`() {
        let book = Book(limit: 100_000, limitPerPayer: 800)
        for name in 1...3 { book.hold(name, 400, of: "eve", at: name) }
        book.charge(3, to: "ada")
        book.hold(4, 400, of: "eve", at: 4)
        #expect(book.left.isEmpty && book.ledger.bytes == 1_600)
        for name in 5...6 { book.hold(name, 400, at: name) }
        #expect(book.left.isEmpty)
        book.charge(4, to: "ada")
        #expect(book.left == [3, 4])
        book.letGo(4)
        #expect(book.ledger.bytes == 1_600)
    }

    @Test func `forgets what has given way`() {
        let book = Book(limit: 100_000, limitPerPayer: 100)
        for name in 1...3 { book.hold(name, 100, at: name) }
        #expect(book.left == [1, 2])
        book.hold(1, 100, at: 4)
        book.letGo(1)
        #expect(book.ledger.bytes == 100 && book.left == [1, 2])
    }
}

@Suite struct `A server that keeps so much` {
    /// How a connection ends: with so many bytes, or `nil` for a reset.
    private static func end(_ client: Client) throws -> Int? {
        do {
            return try client.receiveAll().count
        } catch let failure as Client.Failure where failure.code == ECONNRESET {
            return nil
        }
    }

    /// Returns when the condition holds.
    private static func await(_ condition: () -> Bool) throws {
        for _ in 0..<Patience.seconds * 1_000 where !condition() { usleep(1_000) }
        try #require(condition())
    }

    @Test func `resets the readers that moved least recently, and answers others`() async throws {
        var settings = Settings()
        settings.unreadBytesPerPayer = 1 << 20
        try await serving(App(), settings: settings) { port in
            let request = "GET /bytes?n=600000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let clients = try (0..<8).map { _ in
                let client = try port.connect(receiveBuffer: 4_096)
                try client.send(request)
                return client
            }
            // The largest, and one more within seven eighths of the limit.
            try Self.await { port.server.unread.evictions == 6 }
            #expect(port.server.unread.bytes < 2 * 601_000)
            #expect(try port.ask(request).body.count == 600_000)
            let ends = try clients.map { try Self.end($0) }
            #expect(ends.filter { $0 == nil }.count >= 6)
            #expect(ends.allSatisfy { $0 == nil || $0 ?? 0 > 600_000 })
        }
    }

    @Test func `counts what is streamed, and nothing that is kept anyway`() async throws {
        try await serving(App()) { port in
            let kept = try port.connect(receiveBuffer: 4_096)
            try kept.send("GET /kept HTTP/1.1\r\nHost: a\r\n\r\n")
            let streamed = try port.connect(receiveBuffer: 4_096)
            try streamed.send("GET /whole HTTP/1.1\r\nHost: a\r\n\r\n")
            try Self.await { port.server.unread.bytes > App.large }
            #expect(port.server.unread.bytes < App.large + 1_000)
            #expect(try kept.answer().body.count == App.large)
            #expect(try streamed.answer().body.count == App.large)
            #expect(port.server.unread.bytes == 0)
        }
    }

    @Test func `refuses requests that come in slowly for others that move`() async throws {
        var settings = Settings()
        settings.requestBytesPerPayer = 1 << 20
        try await serving(App(), settings: settings) { port in
            let head = "POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: 600000\r\n\r\n"
            let part = Array(repeating: UInt8(0x61), count: 300_000)
            let clients = try (0..<6).map { _ in
                let client = try port.connect()
                try client.send(Array(head.utf8) + part)
                return client
            }
            try Self.await { port.server.requests.evictions > 0 }
            #expect(try port.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
            var statuses: [Int] = []
            for client in clients {
                try? client.send(part)  // one that is refused may be closed already
                statuses.append(try client.answer().status)
            }
            #expect(Set(statuses) == [200, 503])
        }
    }

    @Test func `charges a request to its sender, however late its head says who that is`() async throws {
        var settings = Settings()
        settings.requestBytesPerPayer = 1 << 20
        try await serving(App(), settings: settings) { port in
            let padding = String(repeating: "a", count: 6_000)
            let part = Array(repeating: UInt8(0x61), count: 300_000)
            let clients = try (0..<6).map { number in
                let client = try port.connect()
                try client.send("POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: 600000\r\nPadding: \(padding)")
                try Self.await { port.server.requests.bytes > number * 300_000 + 6_000 }
                try client.send(Array("\r\nPayer: \(number)\r\n\r\n".utf8) + part)
                try Self.await { port.server.requests.bytes >= (number + 1) * 300_000 }
                return client
            }
            #expect(port.server.requests.evictions == 0)
            for client in clients { try client.send(part) }
            #expect(try clients.map { try $0.answer().status } == Array(repeating: 200, count: 6))
        }
    }
}
