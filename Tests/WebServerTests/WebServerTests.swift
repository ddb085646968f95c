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
