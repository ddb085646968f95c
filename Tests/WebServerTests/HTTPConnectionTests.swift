import HTTP
import Testing

@testable import WebServer

private func get(_ target: String, _ more: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"
}

@Suite struct `An HTTP connection` {
    @Test func `serves one request after the other`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            for _ in 0..<3 {
                try client.send(get("/"))
                #expect(try client.answer().text == "hello")
            }
        }
    }

    @Test func `takes a request in any pieces`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            for byte in Array("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8) {
                try client.send([byte])
            }
            #expect(try client.answer().text == "hello")
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")
            #expect(try client.answer().text == "hello")
        }
    }

    @Test func `answers pipelined requests in order, slow ones too`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            let bodies = ["hello", "on the loop", "hello", "on the loop", "aaa"]
            try client.send(get("/") + get("/later") + get("/") + get("/later") + get("/bytes?n=3"))
            for body in bodies { #expect(try client.answer().text == body) }
        }
    }

    @Test func `answers what came before an error, then the error, then nothing`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send(get("/") + get("/later") + "GET / HTTP/1.1\r\nHost : a\r\n\r\n" + get("/"))
            #expect(try client.answer().status == 200)
            #expect(try client.answer().status == 200)
            let refusal = try client.answer()
            #expect(refusal.status == 400)
            #expect(refusal.header("Content-Type") == "application/problem+json")
            #expect(refusal.header("Connection") == "close")
            #expect(try client.isClosed())
        }
    }

    @Test(arguments: [
        ("GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("BAD\r\n\r\n", 400),
        ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
        ("GET /" + String(repeating: "a", count: 9000), 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 40_000), 431),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1025\r\n\r\n" + String(repeating: "a", count: 500_000), 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n500\r\n", 413),
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
    ]) func `refuses and closes, and the refusal arrives`(request: String, status: Int) async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send(request)
            #expect(try client.answer().status == status)
            #expect(try client.isClosed())
        }
    }

    @Test func `lets a route take a longer body`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
            try client.send("POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
            try client.send(body)
            #expect(try client.answer().body == body)
        }
    }

    @Test func `asks for a body that waits to be asked for, and refuses it unasked when it is too long`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.answer().status == 100)
            try client.send("ab")
            #expect(try client.answer().text == "ab")
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.answer().status == 413)
        }
    }

    @Test func `answers HEAD without the body`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + "HEAD /ticks HTTP/1.1\r\nHost: a\r\n\r\n" + get("/"))
            #expect(try client.answer(toHead: true).header("Content-Length") == "5")
            #expect(try client.answer(toHead: true).header("Content-Type") == "text/event-stream")
            #expect(try client.answer().text == "hello")
        }
    }

    @Test func `keeps or closes as the client asks and its version says`() async throws {
        try await serving(App()) { port in
            let polite = try port.connect()
            try polite.send(get("/", "Connection: close\r\n"))
            #expect(try polite.answer().header("Connection") == "close")
            #expect(try polite.isClosed())
            let old = try port.connect()
            try old.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try old.answer().header("Connection") == "keep-alive")
            try old.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try old.answer().header("Connection") == "close")
            #expect(try old.isClosed())
        }
    }

    @Test(arguments: ["/", "/later"]) func `answers a client that has ended its side`(target: String) async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send(get(target) + get(target))
            client.endSending()
            #expect(try client.answer().status == 200)
            #expect(try client.answer().status == 200)
            #expect(try client.isClosed())
        }
    }

    @Test func `sends a long response to a slow reader`() async throws {
        try await serving(App()) { port in
            let client = try port.connect(receiveBuffer: 4096)
            try client.send(get("/bytes?n=8000000"))
            let answer = try client.answer()
            #expect(answer.body.count == 8_000_000)
            #expect(answer.body.allSatisfy { $0 == 0x61 })
        }
    }

    @Test func `gives up on a reader that does not read`() async throws {
        var settings = Settings()
        settings.responseStall = .milliseconds(20)
        try await serving(App(), settings: settings) { port in
            let stalled = try port.connect(receiveBuffer: 4096)
            try stalled.send(get("/bytes?n=50000000"))
            let asking = try port.connect()
            // The stalled connection is gone when only the asking one is left.
            repeat {
                try asking.send(get("/"))
                #expect(try asking.answer().status == 200)
            } while port.server.connectionCount > 1
            #expect(throws: Client.Failure.self) { _ = try stalled.read(50_000_000) }
        }
    }

    @Test func `stops reading requests whose answers are not read`() async throws {
        try await serving(App()) { port in
            let client = try port.connect(receiveBuffer: 4096)
            let requests = String(repeating: get("/bytes?n=100000"), count: 200)
            // The server's queue and the kernel's buffers hold but a part: the rest is answered as it is read.
            try client.send(requests)
            for _ in 0..<200 { #expect(try client.answer().body.count == 100_000) }
        }
    }
}

@Suite struct `Time on an HTTP connection` {
    private func settings(_ change: (inout Settings) -> Void) -> Settings {
        var settings = Settings()
        change(&settings)
        return settings
    }

    @Test func `is short for a head`() async throws {
        // Long enough for a busy machine to send the beginning of one.
        try await serving(App(), settings: settings { $0.headerTime = .seconds(2) }) { port in
            let client = try port.connect()
            try client.send("GET / HTTP/1.1\r\nHost: ")
            #expect(try client.answer().status == 408)
            #expect(try client.isClosed())
        }
    }

    @Test func `is short for a first request, which is closed without a word`() async throws {
        try await serving(App(), settings: settings { $0.headerTime = .milliseconds(30) }) { port in
            let silent = try port.connect()
            #expect(try silent.isClosed())
        }
    }

    @Test func `is longer between requests`() async throws {
        try await serving(App(), settings: settings { $0.idleTime = .milliseconds(30) }) { port in
            let client = try port.connect()
            try client.send(get("/"))
            #expect(try client.answer().status == 200)
            #expect(try client.isClosed())
        }
    }

    @Test func `is bounded for a body by its rate`() async throws {
        let settings = settings {
            $0.bodyGrace = .milliseconds(30)
            $0.bodyRate = 1_000_000
        }
        try await serving(App(), settings: settings) { port in
            let client = try port.connect()
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
            #expect(try client.answer().status == 408)
            #expect(try client.isClosed())
        }
    }

    @Test func `is not counted while the server thinks`() async throws {
        let settings = settings {
            // Long enough for a busy machine to ask, and to be told that the request is held.
            $0.headerTime = .seconds(2)
            $0.idleTime = .milliseconds(20)
        }
        let app = App()
        try await serving(app, settings: settings) { port in
            let client = try port.connect()
            try client.send(get("/held"))
            let silent = try port.connect()
            #expect(try silent.isClosed())  // Both times have passed.
            app.release.give()
            #expect(try client.answer().text == "released")
        }
    }
}

@Suite struct `An asynchronous answer` {
    @Test func `runs on the connection's loop`() async throws {
        try await serving(App()) { port in
            let answer = try port.ask(get("/later"))
            #expect(answer.text == "on the loop")
        }
    }

    @Test func `is worked on by a task that is there already`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            var seen: Set<String> = []
            for _ in 0..<20 {
                try client.send(get("/task"))
                seen.insert(try client.answer().text)
            }
            // A second one, where the next request came before the first task waited again.
            #expect(seen.count <= 2)
            #expect(seen.allSatisfy { $0.hasSuffix(" false") })
        }
    }

    @Test func `is not cancelled with the one before`() async throws {
        let app = App()
        try await serving(app) { port in
            let client = try port.connect()
            try client.send(get("/forever"))
            try app.held.waitBlocking()
            client.reset()
            try app.gone.waitBlocking()
            for _ in 0..<3 {
                #expect(try port.ask(get("/task")).text.hasSuffix(" false"))
            }
        }
    }

    @Test func `is given to all who ask at once, however many they are`() async throws {
        let app = App()
        try await serving(app) { port in
            let clients = try (0..<100).map { _ in try port.connect() }
            for client in clients { try client.send(get("/held")) }
            try app.held.waitBlocking()
            app.release.give()
            for client in clients { #expect(try client.answer().text == "released") }
            for client in clients { try client.send(get("/later")) }
            for client in clients { #expect(try client.answer().text == "on the loop") }
        }
    }

    @Test func `is cancelled with its connection`() async throws {
        let app = App()
        try await serving(app) { port in
            let client = try port.connect()
            try client.send(get("/forever"))
            try app.held.waitBlocking()
            client.reset()
        }
        await app.gone.wait()
    }
}

@Suite struct `A streamed answer` {
    @Test func `comes in chunks, and another request may follow`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send(get("/ticks?n=3") + get("/"))
            let answer = try client.answer()
            #expect(answer.text == "start\ntick\ntick\ntick\n")
            #expect(answer.header("Transfer-Encoding") == "chunked")
            #expect(try client.answer().text == "hello")
        }
    }

    @Test func `ends with the connection for HTTP/1.0`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send("GET /ticks?n=2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = try client.answer(toHead: true)
            #expect(answer.header("Connection") == "close")
            #expect(try client.read(16) == Array("start\ntick\ntick\n".utf8))
            #expect(try client.isClosed())
        }
    }

    @Test func `is over when the client leaves`() async throws {
        let app = App()
        try await serving(app) { port in
            let client = try port.connect()
            try client.send(get("/ticks"))
            #expect(try client.answer(toHead: true).status == 200)
            #expect(try client.chunk() == Array("start\n".utf8))
            client.endSending()
            #expect(try client.isClosed())
        }
        await app.gone.wait()
    }
}
