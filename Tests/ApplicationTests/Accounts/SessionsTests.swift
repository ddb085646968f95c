import Accounts
import Application
import Cryptography
import GradingKit
import Database
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct SessionsTests {
    @Test func `a token opens its own session and nothing else does`() async throws {
        let harness = try AccountsHarness()
        let admission = try await harness.signUp("alice")
        let signedIn = try #require(try await harness.services.sessions.authenticate(admission.token))
        #expect(signedIn.session == admission.session.id)
        #expect(signedIn.expiresAt == admission.session.expiresAt)
        #expect(!signedIn.isAdministrator)
        #expect(try await harness.services.sessions.authenticate(SecretToken(random: .system)) == nil)
        #expect(try await harness.services.sessions.authenticate(admission.device) == nil)
    }

    @Test func `a student's session lasts thirty days`() async throws {
        let harness = try AccountsHarness()
        let token = try await harness.signUp("alice").token
        harness.pass(seconds: 30 * 86_400 - 1)
        #expect(try await harness.services.sessions.authenticate(token) != nil)
        harness.pass(seconds: 1)
        #expect(harness.services.sessions.recent(token) == nil)
        #expect(try await harness.services.sessions.authenticate(token) == nil)
    }

    @Test func `staff are signed out after an hour without a request, and after a day`() async throws {
        let harness = try AccountsHarness()
        harness.makeStaff(try await harness.signUp("teacher").account.id)
        let idle = try await harness.signIn("teacher").token
        harness.pass(seconds: 3_600)
        #expect(try await harness.services.sessions.authenticate(idle) == nil)

        let busy = try await harness.signIn("teacher").token
        for _ in 0..<47 {
            harness.pass(seconds: 1_800)
            #expect(try await harness.services.sessions.authenticate(busy) != nil)
        }
        harness.pass(seconds: 1_800)
        #expect(try await harness.services.sessions.authenticate(busy) == nil)
    }

    @Test func `what is no request of the owner does not move the idle end`() async throws {
        let harness = try AccountsHarness()
        harness.makeStaff(try await harness.signUp("teacher").account.id)
        let signedIn = try await harness.signIn("teacher")
        for _ in 0..<11 {
            harness.pass(seconds: 300)
            let found = try await harness.services.sessions.authenticate(signedIn.token, renewing: false)
            #expect(found?.endsAt == signedIn.session.endsAt)
        }
        let ticket = try #require(try await harness.services.tickets.issue(for: signedIn.token))
        #expect(try await harness.services.tickets.redeem(ticket)?.endsAt == signedIn.session.endsAt)
        let renewed = try await harness.services.sessions.authenticate(signedIn.token)
        #expect(renewed?.endsAt == signedIn.session.endsAt.adding(seconds: 3_300))
        harness.pass(seconds: 3_600)
        #expect(try await harness.services.sessions.authenticate(signedIn.token, renewing: false) == nil)
    }

    @Test func `an administrator is signed out after a quarter of an hour without a request`() async throws {
        let harness = try AccountsHarness()
        let token = try await harness.makeAdministrator("root").token
        for _ in 0..<3 {
            harness.pass(seconds: 899 - 59)
            #expect(try await harness.services.sessions.authenticate(token)?.isAdministrator == true)
        }
        harness.pass(seconds: 900)
        #expect(harness.services.sessions.recent(token) == nil)
        #expect(try await harness.services.sessions.authenticate(token) == nil)
    }

    @Test func `a session seen a moment ago needs no store until it ends`() async throws {
        let harness = try AccountsHarness()
        let first = try await harness.signUp("alice")
        let second = try await harness.signIn("alice")
        #expect(harness.services.sessions.recent(first.token) == nil)
        _ = try await harness.services.sessions.authenticate(first.token)
        #expect(harness.services.sessions.recent(first.token)?.session == first.session.id)
        try await harness.services.sessions.end(first.session.id, of: first.account.id, from: "x")
        #expect(harness.services.sessions.recent(first.token) == nil)
        #expect(try await harness.services.sessions.authenticate(first.token) == nil)
        #expect(try await harness.services.sessions.authenticate(second.token) != nil)
    }

    @Test func `of more than fifty sessions the oldest ends, at once and in the trail`() async throws {
        let harness = try AccountsHarness()
        let first = try await harness.signUp("alice")
        for _ in 2...50 {
            harness.pass(seconds: 1)
            try await harness.signIn("alice")
        }
        #expect(try await harness.services.sessions.authenticate(first.token) != nil)
        harness.pass(seconds: 1)
        let last = try await harness.signIn("alice")
        #expect(harness.services.sessions.recent(first.token) == nil)
        #expect(try await harness.services.sessions.authenticate(first.token) == nil)
        #expect(harness.events.items.contains(.sessionEnded(first.session.id)))
        let sessions = try await harness.services.sessions.list(of: last.account.id)
        #expect(sessions.count == 50 && sessions.first?.id == last.session.id)
        let query = AuditQuery(subject: first.account.id.text, actions: ["session.ended"])
        let trail = try await harness.services.administration.audit(query)
        let ended = try trail.map { try JSON.parse($0.entry.detail ?? [])["session"]?.string }
        #expect(ended == [first.session.id.text])
    }

    @Test func `a session is called what its client calls it, or what its browser says`() async throws {
        let harness = try AccountsHarness()
        let admission = try await harness.services.signUp(
            SignUpRequest(login: Login("alice"), displayName: "Alice", password: Password("a long enough one")),
            from: Client(source: "x", description: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"))
        #expect(admission.session.deviceName(in: .french) == "Firefox sur Linux")
        let named = try await harness.services.signIn(
            Credentials(login: "alice", password: Password("a long enough one"), deviceName: "My old phone"),
            from: harness.client)
        #expect(
            try await harness.services.sessions.list(of: named.account.id).map { $0.deviceName(in: .english) } == [
                "My old phone", "Firefox on Linux",
            ])
    }

    @Test func `one sees and ends one's own sessions only`() async throws {
        let harness = try AccountsHarness()
        let alice = try await harness.signUp("alice")
        let other = try await harness.signIn("alice")
        let bob = try await harness.signUp("bob")
        #expect(
            try await harness.services.sessions.list(of: alice.account.id).map(\.id) == [
                other.session.id, alice.session.id,
            ])
        await #expect(throws: StoreError.notFound) {
            try await harness.services.sessions.end(alice.session.id, of: bob.account.id, from: "x")
        }
        try await harness.services.sessions.endAll(of: alice.account.id, keeping: other.session.id, from: "x")
        #expect(try await harness.services.sessions.authenticate(alice.token) == nil)
        #expect(try await harness.services.sessions.authenticate(other.token) != nil)
        #expect(try await harness.services.sessions.authenticate(bob.token) != nil)
    }

    @Test func `a live ticket is used once within thirty seconds`() async throws {
        let harness = try AccountsHarness()
        let token = try await harness.signUp("alice").token
        let tickets = harness.services.tickets
        let owner = try await harness.services.sessions.authenticate(token)
        let first = try #require(try await tickets.issue(for: token))
        #expect(try await tickets.redeem(first) == owner)
        #expect(try await tickets.redeem(first) == nil)
        let late = try #require(try await tickets.issue(for: token))
        harness.pass(seconds: 30)
        #expect(try await tickets.redeem(late) == nil)
        #expect(try await tickets.redeem(token) == nil)
    }

    @Test func `a live ticket is given while the store takes no writes, and used once within thirty seconds`()
        async throws
    {
        let harness = try AccountsHarness()
        let token = try await harness.signUp("alice").token
        let tickets = harness.services.tickets
        let owner = try await harness.services.sessions.authenticate(token)
        try await harness.store.write { transaction in
            try transaction.connection.execute(
                """
                CREATE TRIGGER refuse BEFORE INSERT ON one_use_tokens
                BEGIN SELECT RAISE(FAIL, 'no writes'); END
                """)
        }
        let first = try #require(try await tickets.issue(for: token))
        #expect(try await tickets.redeem(first) == owner)
        #expect(try await tickets.redeem(first) == nil)
        let late = try #require(try await tickets.issue(for: token))
        harness.pass(seconds: LiveTickets.lifetime)
        #expect(try await tickets.redeem(late) == nil)
        for _ in 0..<10_000 { #expect(try await tickets.issue(for: token) != nil) }
        #expect(try await tickets.issue(for: token) == nil, "far too many are out")
        harness.pass(seconds: LiveTickets.lifetime)
        let last = try #require(try await tickets.issue(for: token))
        try await harness.services.sessions.endAll(of: #require(owner).account, from: "test")
        #expect(try await tickets.redeem(last) == nil, "the session has ended")
    }
}
