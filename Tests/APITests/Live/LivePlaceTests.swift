import HTTP
import Live
import Shared
import Testing

@testable import API

/// Live connections of every form count, and stop counting once when they end, however they end.
@Suite struct LivePlaceTests {
    /// A form of live connection.
    enum Form: CaseIterable {
        case socket, stream, wait

        /// Opens one as an account; returns when it counts.
        func open(_ stage: LiveStage, as token: String, path: String? = nil) throws -> LiveClient {
            let client = try stage.connect()
            let bearer = "Authorization: Bearer \(token)"
            switch self {
            case .socket:
                try client.upgrade([bearer])
                try client.say(#"{"t":"hello"}"#)
                _ = try client.next()
                _ = try client.subscribe("standing/R")
            case .stream:
                _ = try client.request(LivePlaceTests.get("/v1/live/events?topic=standing/R", [bearer]))
            case .wait:
                let taken = stage.service.admissions.total
                let head = LivePlaceTests.get(path ?? "/poll", [bearer, "If-None-Match: \"k3.1\""])
                try client.write(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
                try stage.awaitPlaces(taken + 1)
            }
            return client
        }

        /// The status with which one more is answered.
        func status(_ stage: LiveStage, _ token: String) throws -> Int {
            let bearer = "Authorization: Bearer \(token)"
            switch self {
            case .socket: return try stage.connect().upgrade([bearer])
            case .stream:
                return try stage.connect().request(
                    LivePlaceTests.get("/v1/live/events?topic=standing/R", [bearer]))
            case .wait:
                return try stage.connect().request(LivePlaceTests.get("/poll", [bearer, "If-None-Match: \"k3.1\""]))
            }
        }
    }

    private static func get(_ path: String, _ headers: [String] = []) -> [String] {
        ["GET \(path) HTTP/1.1", "Host: localhost"] + headers
    }

    @Test func `sockets, event streams and waits count together`() async throws {
        var limits = LiveStage.quick
        limits.connectionsPerAccount = 3
        try await LiveStage.open(limits) { stage in
            stage.commit()
            let token = stage.fixture.signIn("ada")
            var clients = try Form.allCases.map { try $0.open(stage, as: token) }
            #expect(try Form.stream.status(stage, token) == 429)
            #expect(try Form.wait.status(stage, token) == 429)
            let socket = try stage.connect()
            #expect(try socket.upgrade(["Authorization: Bearer \(token)"]) == 101)
            try socket.say(#"{"t":"hello"}"#)
            #expect(try socket.end() == "close 4504")
            try stage.awaitPlaces(3)
            #expect(try Form.stream.status(stage, stage.fixture.signIn("bob")) == 200)
            clients.removeAll()
            try stage.awaitPlaces(0)
        }
    }

    @Test func `a guest's event stream and socket count together for the address as long as they last`() async throws {
        var limits = LiveStage.quick
        limits.guestsPerAddress = 1
        try await LiveStage.open(limits) { stage in
            stage.commit(.program(ProgramID("P")))
            let events = LivePlaceTests.get("/v1/live/events?topic=program/P")
            do {
                let guest = try stage.connect()
                #expect(try guest.request(events) == 200)
                #expect(try stage.connect().request(events) == 429)
                #expect(try stage.connect().request(events + ["X-Forwarded-For: 192.0.2.1"]) == 200)
                let socket = try stage.connect()
                #expect(try socket.upgrade() == 101)
                try socket.say(#"{"t":"hello"}"#)
                #expect(try socket.next() == "close 4504")
                let account = try stage.connect(as: "ada")
                withExtendedLifetime(account) {}
            }
            try stage.awaitPlaces(0)
            do {
                let socket = try stage.connect()
                try socket.upgrade()
                try socket.say(#"{"t":"hello"}"#)
                #expect(try socket.next().contains("welcome"))
                #expect(try stage.connect().request(events) == 429)
            }
            try stage.awaitPlaces(0)
            #expect(try stage.connect().request(events) == 200)
        }
    }

    @Test func `a socket that says hello as a guest gives back what it took before`() async throws {
        var limits = LiveStage.quick
        limits.strangersPerAddress = 1
        limits.connectionsPerAccount = 1
        try await LiveStage.open(limits) { stage in
            let token = stage.fixture.signIn("ada")
            let guests = try [[], ["Cookie: \(token)"]].map { headers in
                let guest = try stage.connect()
                #expect(try guest.upgrade(headers) == 101)
                try guest.say(#"{"t":"hello"}"#)
                #expect(try guest.next().contains("welcome"))
                return guest
            }
            let stranger = try stage.connect()
            #expect(try stranger.upgrade() == 101)
            try stranger.say(#"{"t":"hello","token":"\#(token)"}"#)
            #expect(try stranger.next().contains("welcome"))
            #expect(stage.service.admissions.total == 3)
            withExtendedLifetime(guests) {}
        }
    }

    @Test(arguments: Form.allCases)
    func `one that its client ends stops counting`(form: Form) async throws {
        try await LiveStage.open { stage in
            stage.commit()
            do {
                let client = try form.open(stage, as: stage.fixture.signIn("ada"))
                #expect(stage.service.admissions.total == 1)
                _ = client
            }
            try stage.awaitPlaces(0)
        }
    }

    @Test(arguments: Form.allCases)
    func `one whose session ends stops counting`(form: Form) async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let client = try form.open(stage, as: stage.fixture.signIn("ada"))
            if let revocation = stage.fixture.end("token-ada-1") { stage.revoke(revocation) }
            if form == .socket { #expect(try client.end() == "close 4503") }
            try stage.awaitPlaces(0)
        }
    }

    @Test(arguments: Form.allCases)
    func `one that the server ends stops counting`(form: Form) async throws {
        var limits = LiveStage.quick
        // Long enough for a busy machine to open one.
        limits.maximumAge = .seconds(2)
        try await LiveStage.open(limits) { stage in
            stage.commit()
            let client = try form.open(stage, as: stage.fixture.signIn("ada"), path: "/poll?ms=2000")
            if form == .socket { #expect(try client.end() == "close 4006") }
            try stage.awaitPlaces(0)
        }
    }

    @Test(arguments: Form.allCases)
    func `one that a drain ends stops counting`(form: Form) async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let client = try form.open(stage, as: stage.fixture.signIn("ada"))
            stage.service.drain(within: .milliseconds(10))
            if form == .socket { #expect(try client.end() == "close 1012") }
            try stage.awaitPlaces(0)
        }
    }

    @Test func `one that is refused does not count`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let token = stage.fixture.signIn("eve")
            stage.fixture.deny("eve", LiveStage.standing)
            let statuses = [try Form.stream.status(stage, token), try Form.wait.status(stage, token)]
            #expect(statuses == [404, 404])
            #expect(stage.service.admissions.total == 0)
        }
    }

    @Test func `a wait that is answered does not count`() async throws {
        try await LiveStage.open { stage in
            stage.commit()
            let client = try Form.wait.open(stage, as: stage.fixture.signIn("ada"))
            stage.commit()
            #expect(try client.line().hasPrefix("HTTP/1.1 200"))
            #expect(stage.service.admissions.total == 0)
        }
    }

    @Test func `a place that no connection takes over is given back`() throws {
        var limits = LiveLimits()
        limits.strangersPerAddress = 1
        limits.guestsPerAddress = 1
        limits.connectionsPerAccount = 2
        let admissions = ConnectionQuota(limits)
        let ada = ConnectionQuota.Holder.account(AccountID("ada"))
        let address = try #require(IPAddress("192.0.2.1"))
        let holder = try #require(admissions.place(for: ada)).takeOver()
        var second = admissions.place(for: ada)
        #expect(second != nil && admissions.place(for: ada) == nil)
        #expect(!admissions.move(.guests(at: address), to: ada))
        second = nil
        #expect(admissions.total == 1)
        admissions.giveBack(holder)
        #expect(admissions.total == 0)
        for holder in [ConnectionQuota.Holder.strangers(at: address), .guests(at: address)] {
            let place = admissions.place(for: holder)
            #expect(place != nil && admissions.place(for: holder) == nil)
        }
    }
}
