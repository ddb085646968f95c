import HTTP
import TestKit
import Testing
import Transport
import WebSocket

@testable import WebServer

@Suite struct `A web server` {
    @Test func `answers a request`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try client.answer()
            #expect(answer.status == 200)
            #expect(answer.text == "hello")
            #expect(answer.header("Date")?.hasSuffix("GMT") == true)
        }
    }

    @Test func `serves the same port on every loop`() async throws {
        try await serving(App(), loops: 3) { port in
            for _ in 0..<32 {
                let client = try port.connect()
                try client.send("GET /peer HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try client.answer().text == "127.0.0.1")
            }
        }
    }

    @Test func `refuses to share its port with another server`() async throws {
        let group = try EventLoopGroup(count: 1)
        let first = try WebServer(at: SocketAddress(host: "127.0.0.1", port: 0), on: group.loops, responder: App())
        #expect(throws: TransportError.self) {
            try WebServer(at: first.address, on: group.loops, responder: App())
        }
        await group.shutdown()
    }

    @Test func `listens on IPv6`() async throws {
        let group = try EventLoopGroup(count: 1)
        let server = try WebServer(at: SocketAddress(host: "::1", port: 0), on: group.loops, responder: App())
        #expect(server.address.description.hasPrefix("[::1]:"))
        await group.shutdown()
    }

    @Test func `upgrades and echoes`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send(Client.upgrade)
            let answer = try client.answer()
            #expect(answer.status == 101)
            #expect(answer.header("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            try client.send(.text, Array("hello".utf8))
            #expect(try client.event() == .message(.init(.text, Array("hello".utf8))))
            try client.send(.close, [0x03, 0xE8])
            #expect(try client.event() == .close(.normal, reason: ""))
            #expect(try client.isClosed())
        }
    }
}

@Suite struct `A full server` {
    private static let hello = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `turns away connections over its limit`() async throws {
        var settings = Settings()
        settings.connections = 2
        try await serving(App(), settings: settings) { port in
            let inside = [try port.connect(), try port.connect()]
            for client in inside {
                try client.send(Self.hello)
                #expect(try client.answer().status == 200)
            }
            let outside = try port.connect()
            #expect(try outside.answer().status == 503)
            try inside[0].send(Self.hello)
            #expect(try inside[0].answer().status == 200)
        }
    }

    @Test func `turns away connections over an address's limit`() async throws {
        var settings = Settings()
        settings.connectionsPerAddress = 1
        try await serving(App(), settings: settings) { port in
            let inside = try port.connect()
            try inside.send(Self.hello)
            #expect(try inside.answer().status == 200)
            let outside = try port.connect()
            #expect(try outside.answer().status == 429)
        }
    }

    @Test func `counts the connections of proxies for no address`() async throws {
        var settings = Settings()
        settings.connectionsPerAddress = 1
        settings.proxies = [IPNetwork("127.0.0.1")].compactMap { $0 }
        try await serving(App(), settings: settings) { port in
            let clients = try (0..<3).map { _ in try port.connect() }
            for client in clients {
                try client.send(Self.hello)
                #expect(try client.answer().status == 200)
            }
        }
    }

    @Test func `gives a wait up when its client sends no more, and answers it still`() async throws {
        let app = App()
        try await serving(app) { port in
            let client = try port.connect()
            try client.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n")
            try app.held.waitBlocking()
            client.endSending()
            #expect(try client.answer().text == "nothing happened")
            #expect(try client.isClosed())
        }
    }
}

@Suite struct `A server that speaks TLS` {
    @Test(arguments: [[], [0x16, 0x03, 0x01, 0x02, 0x00]] as [[UInt8]])
    func `gives a handshake as long as a head`(begun: [UInt8]) async throws {
        let files = try TestCertificate()
        let identity = try TLSIdentity(certificate: files.certificate, key: files.key)
        var settings = Settings()
        settings.headerTime = .milliseconds(20)
        settings.lingerTime = .milliseconds(20)
        try await serving(App(), settings: settings, securedBy: identity) { port in
            let client = try port.connect()
            try client.send(begun)
            #expect(try client.isClosed())
        }
    }

    @Test func `closes connections over its limit without a handshake`() async throws {
        let files = try TestCertificate()
        let identity = try TLSIdentity(certificate: files.certificate, key: files.key)
        var settings = Settings()
        settings.connections = 0
        try await serving(App(), settings: settings, securedBy: identity) { port in
            let client = try port.connect()
            #expect(try client.isClosed())
        }
    }
}

@Suite struct `A server that stops` {
    @Test func `lets the request under way finish, and closes idle connections`() async throws {
        let app = App()
        let clients = Clients()
        var settings = Settings()
        settings.lingerTime = .milliseconds(50)
        try await serving(app, settings: settings) { port in
            let idle = try port.connect()
            try idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try idle.answer().status == 200)
            clients.keep(idle)
            let busy = try port.connect()
            try busy.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            try app.held.waitBlocking()
            clients.keep(busy)
        } whileDraining: {
            #expect(try clients.all[0].isClosed())
            app.release.give()
            let answer = try clients.all[1].answer()
            #expect(answer.text == "released")
            #expect(try clients.all[1].isClosed())
        }
    }
}

@Suite struct `Streams of a server that stops` {
    private func beginning(_ path: String, then check: @escaping @Sendable (Client) throws -> Void) async throws {
        let clients = Clients()
        var settings = Settings()
        settings.drainTime = .milliseconds(20)
        settings.lingerTime = .milliseconds(50)
        try await serving(App(), settings: settings) { port in
            let client = try port.connect()
            try client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.answer(toHead: true).status == 200)
            #expect(try !client.chunk().isEmpty)
            clients.keep(client)
        } whileDraining: {
            try check(clients.all[0])
        }
    }

    @Test func `are complete, unless their handler knows better`() async throws {
        try await beginning("ticks") { client in
            let end = try client.chunk()
            #expect(end.isEmpty)
        }
        try await beginning("part") { client in
            #expect(throws: (any Error).self) { try client.chunk() }
        }
    }
}

@Suite struct `A server stopped before it ran` {
    @Test func `still answers who had connected`() async throws {
        let group = try EventLoopGroup(count: 1)
        let server = try WebServer(at: SocketAddress(host: "127.0.0.1", port: 0), on: group.loops, responder: App())
        let client = try Client(port: server.address.port)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let running = Task { try await server.run() }
        running.cancel()
        try await onThread {
            let answer = try client.answer()
            #expect(answer.text == "hello")
            #expect(try client.isClosed())
            client.endSending()
        }
        try await running.value
        await group.shutdown()
    }
}

@Suite struct `A server under nonsense` {
    @Test func `never answers 500 and goes on serving`() async throws {
        try await serving(App(), loops: 2) { port in
            let seeds = [
                "GET /bytes?n=10 HTTP/1.1\r\nHost: a\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
                "PUT /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                Client.upgrade,
            ].map { Array($0.utf8) }
            for round in 0..<1000 {
                var bytes = seeds[round % seeds.count] + seeds[(round / 4) % seeds.count]
                for _ in 0..<2 { bytes[Int.random(in: 0..<bytes.count)] = UInt8.random(in: 0...255) }
                let client = try port.connect()
                try client.send(bytes)
                client.endSending()
                let received = try client.receiveAll()
                let text = String(decoding: received, as: UTF8.self)
                #expect(!text.contains("HTTP/1.1 500"), "\(bytes)")
            }
            let answer = try port.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer.status == 200)
        }
    }
}
