import Live
import Shared
import Testing
import WebSocket

@testable import API

@Suite struct LiveRoutesTests {
    private static func state(_ version: Int, epoch: String = "k3") -> String {
        #"{"t":"state","topic":"standing/R","e":"\#(epoch)","v":\#(version),"doc":{"is":"standing/R at "#
            + #"\#(epoch).\#(version)"}}"#
    }

    private static let forbidden = #"{"t":"error","topic":"standing/R","code":"forbidden","retry":false,"after":0}"#

    // MARK: The conversation

    @Test func `hello, sub, state, and every commit after it`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let client = try stage.connect(as: "ada")
            #expect(try client.subscribe("standing/R") == Self.state(1))
            for version in 2...20 {
                stage.commit()
                #expect(try client.next() == Self.state(version))
            }
        }
    }

    @Test func `clients on all loops hear of every commit`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let clients = try (0..<8).map { try stage.connect(as: "ada\($0)") }
            for client in clients { #expect(try client.subscribe("standing/R") == Self.state(1)) }
            stage.commit()
            for client in clients { #expect(try client.next() == Self.state(2)) }
        }
    }

    @Test func `a client that is current resumes without a document and without a read`() async throws {
        try await LiveStage.open { stage in
            for _ in 0..<44 { stage.commit() }
            let client = try stage.connect(as: "ada")
            let answer = try client.subscribe("standing/R", have: #"{"e":"k3","v":44}"#)
            #expect(answer == #"{"t":"state","topic":"standing/R","e":"k3","v":44}"#)
            #expect(stage.fixture.documentsRead == 0)
            let reset = try client.subscribe("standing/R", have: #"{"e":"k3","v":45}"#)
            #expect(reset == #"{"t":"end","topic":"standing/R","why":"reset"}"#)
        }
    }

    @Test func `a new epoch and a lost wake-up are noticed by the sweep`() async throws {
        try await LiveStage.open { stage in
            for _ in 0..<9 { stage.commit() }
            let client = try stage.connect(as: "ada")
            #expect(try client.subscribe("standing/R") == Self.state(9))
            _ = stage.fixture.commit(LiveStage.standing)
            #expect(try client.next() == Self.state(10))
            stage.fixture.restore()
            #expect(try client.next() == Self.state(7, epoch: "m7"))
        }
    }

    @Test func `foreign, unknown and deleted topics are refused alike`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            stage.fixture.deny("eve", LiveStage.standing)
            let eve = try stage.connect(as: "eve")
            for topic in ["standing/R", "standing/none", "nothing/x", "accounts"] {
                #expect(try eve.subscribe(topic) == Self.forbidden.replacing("standing/R", with: topic))
            }
            let guest = try stage.connect()
            try guest.upgrade()
            try guest.say(#"{"t":"hello"}"#)
            #expect(try !guest.next().contains("exp"))
            #expect(try guest.subscribe("standing/R") == Self.forbidden)

            let ada = try stage.connect(as: "ada")
            _ = try ada.subscribe("standing/R")
            stage.service.publish([stage.fixture.delete(LiveStage.standing)])
            #expect(try ada.next() == #"{"t":"end","topic":"standing/R","why":"gone"}"#)
            #expect(try ada.subscribe("standing/R") == Self.forbidden)
        }
    }

    @Test func `a store that is down is unavailable, and asOf stops`() async throws {
        var limits = LiveStage.quick
        limits.pingInterval = .milliseconds(50)
        try await LiveStage.open(limits) { stage in
            stage.commit()
            let client = try stage.connect(as: "ada")
            var ping = ""
            while !ping.contains("asOf") {
                ping = try client.next(passingPings: false)
                let number = ping.split(separator: #""n":"#).last?.prefix { $0.isNumber } ?? ""
                try client.say(#"{"t":"pong","n":\#(number)}"#)
            }
            stage.fixture.goDown(true)
            let answer = try client.subscribe("standing/R")
            #expect(answer == #"{"t":"error","topic":"standing/R","code":"unavailable","retry":true,"after":2000}"#)
            stage.fixture.goDown(false)
            #expect(try client.subscribe("standing/R") == Self.state(1))
        }
    }

    // MARK: Revocation

    @Test func `after the revoking call has returned nothing is pushed`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let ada = try stage.connect(as: "ada")
            let other = try stage.connect(as: "bob")
            _ = try ada.subscribe("standing/R")
            _ = try other.subscribe("standing/R")
            stage.fixture.deny("ada", LiveStage.standing)
            stage.revoke(.rights(of: AccountID("ada")))
            stage.commit()
            #expect(try ada.next() == #"{"t":"end","topic":"standing/R","why":"revoked"}"#)
            #expect(try other.next() == Self.state(2))
            #expect(try ada.subscribe("standing/R") == Self.forbidden)
        }
    }

    @Test func `a right that many have alike is asked for once`() async throws {
        try await LiveStage.open(loops: 1) { stage in
            let topic = Topic.program(ProgramID("P"))
            stage.commit(topic)
            let guests = try (0..<8).map { _ in
                let guest = try stage.connect()
                try guest.upgrade()
                try guest.say(#"{"t":"hello"}"#)
                #expect(try guest.next().hasPrefix(#"{"t":"welcome""#))
                return guest
            }
            let clients = guests + [try stage.connect(as: "ada")]
            for client in clients { _ = try client.subscribe("program/P") }
            let asked = stage.fixture.permissionsAsked
            stage.revoke(.topics([topic]))
            stage.commit(topic)
            for client in clients { #expect(try client.next().contains(#""v":2"#)) }
            #expect(stage.fixture.permissionsAsked == asked + 2)
        }
    }

    @Test func `sessions end with their connections, others stay`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let first = try stage.connect(as: "ada", session: 1)
            let second = try stage.connect(as: "ada", session: 2)
            _ = try second.subscribe("standing/R")
            if let revocation = stage.fixture.end("token-ada-1") { stage.revoke(revocation) }
            #expect(try first.next() == "close 4503")
            stage.commit()
            #expect(try second.next() == Self.state(2))
            _ = stage.fixture.end("token-ada-2")
            stage.revoke(.rights(of: AccountID("ada")))
            #expect(try second.end() == "close 4503")
        }
    }

    @Test func `what lies before a reader that does not read is cut off`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let client = try stage.connect(receiveBuffer: 4_096)
            try client.upgrade()
            try client.say(#"{"t":"hello","token":"\#(stage.fixture.signIn("ada"))"}"#)
            _ = try client.next()
            _ = try client.subscribe("standing/R")
            for _ in 0..<400 {
                stage.commit(size: 60_000)
                stage.revoke(.topics([]))
            }
            stage.fixture.deny("ada", LiveStage.standing)
            stage.revoke(.rights(of: AccountID("ada")))
            #expect(try client.end() == "broken")
        }
    }

    // MARK: Limits and closes

    @Test func `a reader that does not read is closed with 4003 and holds up nobody`() async throws {
        var limits = LiveStage.quick
        limits.stallTime = .milliseconds(300)
        // However long the test takes, nothing but the stall ends a connection.
        (limits.closeTime, limits.pingInterval) = (.seconds(3_600), .seconds(3_600))
        try await LiveStage.open(limits) { stage in
            stage.commit()
            let slow = try stage.connect(receiveBuffer: 4_096)
            try slow.upgrade()
            try slow.say(#"{"t":"hello","token":"\#(stage.fixture.signIn("slow"))"}"#)
            _ = try slow.next()
            _ = try slow.subscribe("standing/R")
            let quick = try stage.connect(as: "quick")
            _ = try quick.subscribe("standing/R")
            // More than the kernel's buffers hold, and then for longer than a frame may take.
            for version in 2...200 {
                stage.commit(size: 60_000)
                #expect(try quick.next().contains(#""v":\#(version),"#))
            }
            stage.pass(.milliseconds(600))
            stage.commit()
            #expect(try quick.next().contains(#""v":201,"#))
            #expect(try slow.end() == "close 4003")
        }
    }

    @Test func `the end of a drain is 1012`() async throws {
        try await LiveStage.open { stage in
            let client = try stage.connect(as: "ada")
            stage.service.drain(within: .milliseconds(50))
            #expect(try client.next() == #"{"t":"drain","within":50}"#)
            #expect(try client.next() == "close 1012")
        }
    }

    @Test func `silence, a missing pong, age and expiry close with their codes`() async throws {
        var limits = LiveStage.quick
        limits.helloTime = .milliseconds(50)
        try await LiveStage.open(limits) { stage in
            let client = try stage.connect()
            try client.upgrade()
            #expect(try client.next() == "close 4001")
        }
        limits = LiveStage.quick
        limits.pingInterval = .milliseconds(20)
        limits.pongTime = .milliseconds(20)
        try await LiveStage.open(limits) { stage in
            let end = try stage.connect(as: "ada").end()
            #expect(end == "close 4004")
        }
        limits = LiveStage.quick
        // Long enough for a busy machine to say hello.
        limits.maximumAge = .seconds(2)
        try await LiveStage.open(limits) { stage in
            let end = try stage.connect(as: "ada").end()
            #expect(end == "close 4006")
        }
        try await LiveStage.open { stage in
            let client = try stage.connect()
            try client.upgrade()
            try client.say(#"{"t":"hello","token":"\#(stage.fixture.signIn("ada", for: 1))"}"#)
            #expect(try client.end() == "close 4002")
        }
    }

    @Test func `misuse closes with its code`() async throws {
        try await LiveStage.open { stage in
            func client() throws -> LiveClient {
                let client = try stage.connect()
                try client.upgrade()
                return client
            }
            let hello = #"{"t":"hello","token":"\#(stage.fixture.signIn("ada"))"}"#
            let cases: [(String, [Frame])] = [
                ("close 1003", [Frame(.binary, [1], mask: 1)]),
                ("close 1007", [Frame(.text, [0xFF], mask: 1)]),
                ("close 1009", [Frame(.text, Array(repeating: 0x20, count: 20_000), mask: 1)]),
                ("close 1009", [Frame(.text, Array(repeating: 0x20, count: 5_000), mask: 1)]),
                (
                    "close 1009",
                    [Frame(.text, [0x7B], isFinal: false, mask: 1)]
                        + (0..<40).map { _ in Frame(.continuation, [0x20], isFinal: false, mask: 1) }
                ),
                ("close 4500", [Frame(.text, "{}".utf8, mask: 1)]),
                ("close 4500", [Frame(.text, hello.utf8, mask: 1), Frame(.text, hello.utf8, mask: 1)]),
                ("close 4501", [Frame(.text, #"{"t":"hello","token":"nonsense"}"#.utf8, mask: 1)]),
            ]
            for (end, frames) in cases {
                let client = try client()
                try client.write(frames.flatMap(\.bytes))
                #expect(try client.end() == end)
            }
        }
    }

    @Test func `a flood is told to slow down and then closed`() async throws {
        var limits = LiveStage.quick
        limits.messageBurst = 5
        limits.overRateTime = .zero
        try await LiveStage.open(limits) { stage in
            let client = try stage.connect(as: "ada")
            for _ in 0..<10 { try client.say(#"{"t":"pong","n":1}"#) }
            var message = ""
            while !message.contains("rate_limited") { message = try client.next() }
            #expect(message.contains(#""retry":true"#))
            #expect(try client.end() == "close 4005")
        }
    }

    @Test func `an account has so many connections and an address so many strangers`() async throws {
        var limits = LiveStage.quick
        limits.connectionsPerAccount = 2
        limits.strangersPerAddress = 3
        try await LiveStage.open(limits) { stage in
            do {
                let clients = try (0..<2).map { _ in try stage.connect(as: "ada") }
                let third = try stage.connect()
                try third.upgrade()
                try third.say(#"{"t":"hello","token":"token-ada-1"}"#)
                #expect(try third.next() == "close 4504")
                let strangers = try (0..<3).map { _ in try stage.connect() }
                for stranger in strangers { #expect(try stranger.upgrade() == 101) }
                #expect(try stage.connect().upgrade() == 429)
                try strangers[0].say(#"{"t":"hello"}"#)
                _ = try strangers[0].next()
                #expect(try stage.connect().upgrade() == 101)
                withExtendedLifetime(clients) {}
            }
            try stage.awaitPlaces(0)
            let again = try stage.connect()
            try again.upgrade(["Authorization: Bearer token-ada-1"])
            try again.say(#"{"t":"hello","token":"token-ada-1"}"#)
            #expect(try again.next().contains("welcome"))
        }
    }

    @Test func `what has proven nothing takes no place of what has`() async throws {
        var limits = LiveStage.quick
        limits.strangersPerAddress = 3
        limits.helloTime = .seconds(3_600)
        try await LiveStage.open(limits) { stage in
            let token = stage.fixture.signIn("ada")
            let strangers = try (0..<3).map { _ in try stage.connect() }
            for stranger in strangers { #expect(try stranger.upgrade() == 101) }
            #expect(try stage.connect().upgrade() == 429)
            #expect(try stage.connect().upgrade(["Cookie: nonsense"]) == 429)
            #expect(try stage.connect().upgrade(["X-Forwarded-For: 192.0.2.1"]) == 101)
            let bearer = try stage.connect()
            #expect(try bearer.upgrade(["Authorization: Bearer \(token)"]) == 101)
            try bearer.say(#"{"t":"hello"}"#)
            #expect(try bearer.next().contains(#""exp":3"#))
            let browser = try stage.connect()
            #expect(try browser.upgrade(["Cookie: \(token)"]) == 101)
            try browser.say(#"{"t":"hello","token":"\#(stage.fixture.ticket(for: token))"}"#)
            #expect(try browser.next().contains(#""exp":3"#))
            // The cookie alone is no proof of who reads.
            let guest = try stage.connect()
            #expect(try guest.upgrade(["Cookie: \(token)"]) == 101)
            try guest.say(#"{"t":"hello"}"#)
            #expect(try !guest.next().contains("exp"))
        }
    }

    // MARK: The door

    @Test func `an upgrade is refused in HTTP`() async throws {
        try await LiveStage.open { stage in
            let token = stage.fixture.signIn("ada")
            let cases: [(Int, [String], String?, Int)] = [
                (400, [], nil, 13), (400, [], "chat", 13), (426, [], "gradecast.live.v1", 12),
                (403, ["Origin: http://elsewhere.example"], "gradecast.live.v1", 13),
                (403, ["Origin: null"], "gradecast.live.v1", 13),
                (403, ["Origin: http://127.0.0.1:80", "Origin: http://127.0.0.1:80"], "gradecast.live.v1", 13),
                (401, ["Authorization: Bearer nonsense"], "gradecast.live.v1", 13),
                (101, ["Authorization: Bearer \(token)"], "chat, gradecast.live.v1", 13),
                (101, ["Origin: http://localhost:80"], "gradecast.live.v1", 13),
                (101, ["Origin: https://app.example"], "gradecast.live.v1", 13),
            ]
            for (status, headers, subprotocol, version) in cases {
                let client = try stage.connect()
                #expect(try client.upgrade(headers, subprotocol: subprotocol, version: version) == status)
            }
        }
    }

    @Test func `a token may come with the upgrade, or as a ticket that is used once`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let token = stage.fixture.signIn("ada")
            let client = try stage.connect()
            try client.upgrade(["Authorization: Bearer \(token)"])
            try client.say(#"{"t":"hello"}"#)
            try client.say(#"{"t":"sub","topic":"standing/R"}"#)
            #expect(try client.next().contains(#""exp":3"#))
            #expect(try client.next() == Self.state(1))
            let ticket = stage.fixture.ticket(for: token)
            for answer in ["welcome", "close 4501"] {
                let client = try stage.connect()
                try client.upgrade()
                try client.say(#"{"t":"hello","token":"\#(ticket)"}"#)
                #expect(try client.next().contains(answer))
            }
        }
    }
}
