import Testing
import WebSocket

@testable import WebServer

@Suite struct `A WebSocket` {
    private static func open(_ port: Port, and more: [UInt8] = []) throws -> Client {
        let client = try port.connect()
        try client.send(Array(Client.upgrade.utf8) + more)
        #expect(try client.answer().status == 101)
        return client
    }

    private static func text(_ text: String) -> FrameDecoder.Event { .message(Message(.text, Array(text.utf8))) }

    @Test func `reads messages that came behind the handshake`() async throws {
        try await serving(App()) { port in
            let client = try Self.open(port, and: Frame(.text, "early".utf8, mask: 5).bytes)
            #expect(try client.event() == Self.text("early"))
        }
    }

    @Test func `may be opened after some thought`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            let request = Client.upgrade.replacing("/socket", with: "/socket-later")
            try client.send(Array(request.utf8) + Frame(.text, "early".utf8, mask: 5).bytes)
            #expect(try client.answer().status == 101)
            #expect(try client.event() == Self.text("early"))
        }
    }

    @Test func `refuses a handshake that is none, and goes on with HTTP`() async throws {
        try await serving(App()) { port in
            let client = try port.connect()
            try client.send("GET /socket HTTP/1.1\r\nHost: a\r\n\r\n" + "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.answer().status == 400)
            #expect(try client.answer().status == 200)
        }
    }

    @Test func `answers pings and hears pongs`() async throws {
        try await serving(App()) { port in
            let client = try Self.open(port)
            try client.send(.ping, [4, 2])
            #expect(try client.event() == .pong([4, 2]))
            try client.send(.text, Array("ping".utf8))
            #expect(try client.event() == .ping([1, 2, 3]))
            try client.send(.pong, [9])
            #expect(try client.event() == Self.text("pong [9]"))
        }
    }

    @Test func `closes from the server with its code, and waits for the answer`() async throws {
        let app = App()
        try await serving(app) { port in
            let client = try Self.open(port)
            try client.send(.text, Array("close".utf8))
            #expect(try client.event() == .close(CloseCode(4500), reason: "asked"))
            try client.send(.close, [0x11, 0x94])
            #expect(try client.isClosed())
        }
        await app.gone.wait()
    }

    @Test func `does not wait for ever for the answer to its close`() async throws {
        try await serving(App()) { port in
            let client = try Self.open(port)
            try client.send(.text, Array("close".utf8))
            #expect(try client.event() == .close(CloseCode(4500), reason: "asked"))
            #expect(try client.isClosed())
        }
    }

    @Test(
        arguments: [
            ([0x81, 0x00], 1002), ([0x83, 0x80, 0, 0, 0, 0], 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002),
            ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x82, 0xFE, 0x40, 0x01], 1009),
        ] as [([UInt8], UInt16)]) func `closes with the code of a violation`(bytes: [UInt8], code: UInt16) async throws
    {
        try await serving(App()) { port in
            let client = try Self.open(port)
            try client.send(bytes)
            guard case .close(let received, _) = try client.event() else {
                Issue.record("no close frame")
                return
            }
            #expect(received == CloseCode(code))
            #expect(try client.isClosed())
        }
    }

    @Test func `tells its handler when the client is simply gone`() async throws {
        let app = App()
        try await serving(app) { port in
            let client = try Self.open(port)
            client.endSending()
            #expect(try client.isClosed())
        }
        await app.gone.wait()
    }

    @Test func `gives up on a reader that does not read`() async throws {
        let app = App()
        try await serving(app) { port in
            let client = try port.connect(receiveBuffer: 4096)
            try client.send(Client.upgrade)
            #expect(try client.answer().status == 101)
            try client.send(.text, Array("flood".utf8))
            try app.gone.waitBlocking()
        }
    }

    @Test func `is closed with 1012 when the server has drained long enough`() async throws {
        var settings = Settings()
        settings.drainTime = .milliseconds(20)
        let clients = Clients()
        try await serving(App(), settings: settings) { port in
            clients.keep(try Self.open(port))
        } whileDraining: {
            guard let client = clients.first else { return }
            #expect(try client.event() == .close(.serviceRestart, reason: ""))
            try client.send(.close, [0x03, 0xF4])
            #expect(try client.isClosed())
        }
    }
}
