import Live
import Shared
import Testing

@testable import API

@Suite struct LiveStreamTests {
    private static func get(_ path: String, _ headers: [String] = []) -> [String] {
        ["GET \(path) HTTP/1.1", "Host: localhost"] + headers
    }

    /// The next event's lines, chunk sizes left out.
    private static func event(_ client: LiveClient) throws -> [String] {
        var lines: [String] = []
        while true {
            let line = try client.line()
            if line.hasPrefix("id: ") || line.hasPrefix("data: ") { lines.append(line) }
            if line.hasPrefix("data: "), !line.contains(#""t":"ping""#) { return lines }
            if line.contains(#""t":"ping""#) { lines = [] }
            if line == "0" { return ["end"] }
        }
    }

    @Test func `a stream carries states and is resumed behind the last one`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let bearer = "Authorization: Bearer \(stage.fixture.signIn("ada"))"
            let client = try stage.connect()
            #expect(try client.request(Self.get("/v1/live/events?topic=standing/R", [bearer])) == 200)
            #expect(try Self.event(client).first == "id: k3.1")
            stage.commit()
            let event = try Self.event(client)
            #expect(event.first == "id: k3.2")
            #expect(event.last?.contains(#""doc":{"is":"standing/R at k3.2"}"#) == true)
            let again = try stage.connect()
            _ = try again.request(Self.get("/v1/live/events?topic=standing/R", [bearer, "Last-Event-ID: k3.2"]))
            #expect(
                try Self.event(again) == ["id: k3.2", #"data: {"t":"state","topic":"standing/R","e":"k3","v":2}"#])
        }
    }

    @Test func `several topics share a stream`() async throws {
        try await LiveStage.open { stage in
            let program = Topic.program(ProgramID("P"))
            stage.commit()
            stage.commit(program)
            let bearer = "Authorization: Bearer \(stage.fixture.signIn("ada"))"
            let client = try stage.connect()
            let path = "/v1/live/events?topic=standing/R&topic=program/P"
            #expect(try client.request(Self.get(path, [bearer])) == 200)
            _ = try Self.event(client)
            #expect(try Self.event(client).first == "id: k3.1,k3.1")
            stage.commit(program)
            #expect(try Self.event(client).first == "id: k3.1,k3.2")
        }
    }

    @Test func `a stream is refused as a whole`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let bearer = "Authorization: Bearer \(stage.fixture.signIn("ada"))"
            let cases: [(Int, String, String)] = [
                (404, "?topic=standing/none", bearer), (404, "?topic=standing/R&topic=nothing/x", bearer),
                (404, "?topic=standing/R", "X-Guest: yes"), (400, "", bearer), (400, "?topic=a%20b", bearer),
                (400, "?topic=standing/R&topic=standing/R", bearer),
                (401, "?topic=standing/R", "Authorization: Bearer nonsense"),
            ]
            for (status, query, header) in cases {
                let client = try stage.connect()
                #expect(try client.request(Self.get("/v1/live/events\(query)", [header])) == status)
            }
        }
    }

    @Test func `a stream ends with the session, with its topics and with a drain`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            func open(_ name: String) throws -> LiveClient {
                let client = try stage.connect()
                let bearer = "Authorization: Bearer \(stage.fixture.signIn(name))"
                #expect(try client.request(Self.get("/v1/live/events?topic=standing/R", [bearer])) == 200)
                #expect(try Self.event(client).first == "id: k3.1")
                return client
            }
            let leaving = try open("ada")
            let staying = try open("bob")
            if let revocation = stage.fixture.end("token-ada-1") { stage.revoke(revocation) }
            #expect(try Self.event(leaving) == ["end"])
            stage.service.publish([stage.fixture.delete(LiveStage.standing)])
            #expect(try Self.event(staying) == [#"data: {"t":"end","topic":"standing/R","why":"gone"}"#])
            #expect(try Self.event(staying) == ["end"])
            stage.commit()
            let last = try open("eve")
            stage.service.drain(within: .milliseconds(20))
            #expect(try Self.event(last) == ["end"])
        }
    }

    @Test func `a client that goes away is forgotten`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let bearer = "Authorization: Bearer \(stage.fixture.signIn("ada"))"
            for _ in 0..<20 {
                let client = try stage.connect()
                _ = try client.request(Self.get("/v1/live/events?topic=standing/R", [bearer]))
                let gone = try stage.connect()
                try gone.write(
                    Array("GET /v1/live/events?topic=standing/R HTTP/1.1\r\nHost: a\r\n\(bearer)\r\n\r\n".utf8))
            }
        }
    }

    @Test func `a long poll waits for what is newer`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let bearer = "Authorization: Bearer \(stage.fixture.signIn("ada"))"
            #expect(try stage.connect().request(Self.get("/poll", [bearer])) == 200)
            #expect(try stage.connect().request(Self.get("/poll", [bearer, "If-None-Match: \"k3.7\""])) == 200)
            let client = try stage.connect()
            try client.write(
                Array("GET /poll HTTP/1.1\r\nHost: a\r\n\(bearer)\r\nIf-None-Match: \"k3.1\"\r\n\r\n".utf8))
            stage.commit()
            var head: [String] = []
            while head.last?.isEmpty != true { head.append(try client.line()) }
            #expect(head.contains { $0.hasPrefix("HTTP/1.1 200") })
            #expect(head.contains("ETag: \"k3.2\""))
            let guest = try stage.connect()
            #expect(try guest.request(Self.get("/poll")) == 404)
            // Whoever waits when the server stops is answered, and whoever has gone is forgotten.
            let waiting = try stage.connect()
            try waiting.write(
                Array("GET /poll HTTP/1.1\r\nHost: a\r\n\(bearer)\r\nIf-None-Match: \"k3.2\"\r\n\r\n".utf8))
        }
    }

    @Test func `whoever comes after the server began to stop is told like those who were there`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let bearer = "Authorization: Bearer \(stage.fixture.signIn("ada"))"
            stage.service.drain(within: .milliseconds(50))
            let poll = try stage.connect()
            #expect(try poll.request(Self.get("/poll", [bearer, "If-None-Match: \"k3.1\""])) == 304)
            let client = try stage.connect()
            try client.upgrade()
            #expect(try client.next() == "close 1012")
        }
    }
}
