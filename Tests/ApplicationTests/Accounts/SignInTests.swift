import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import SQLiteStore
import Shared
import Testing

@Suite struct SignInTests {
    @Test func `unknown login, wrong password and disabled account are answered alike`() async throws {
        let harness = try AccountsHarness()
        let admission = try await harness.signUp("alice")
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["disabled": true]), of: admission.account.id, by: harness.server)
        try await harness.signUp("bob")
        await #expect(throws: AccountError.refused) { try await harness.signIn("alice") }
        await #expect(throws: AccountError.refused) { try await harness.signIn("bob", "another password") }
        await #expect(throws: AccountError.refused) { try await harness.signIn("nobody") }
        await #expect(throws: AccountError.refused) { try await harness.signIn("") }
        await #expect(throws: AccountError.refused) { try await harness.signIn("\u{0} not a login") }
    }

    @Test func `the same password typed on another keyboard is the same`() async throws {
        let harness = try AccountsHarness()
        try await harness.signUp("alice", password: "crème brûlée ①")
        try await harness.signIn("ALICE", "cre\u{300}me bru\u{302}le\u{301}e 1")
    }

    @Test func `from the fifth failure each attempt waits, doubling to fifteen minutes`() async throws {
        let harness = try AccountsHarness()
        try await harness.signUp("alice")
        for _ in 0..<5 {
            await #expect(throws: AccountError.refused) { try await harness.signIn("alice", "wrong") }
        }
        for delay: Int64 in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            await #expect(throws: AccountError.throttled(retryAfter: Int(delay))) { try await harness.signIn("alice") }
            harness.pass(seconds: delay)
            await #expect(throws: AccountError.refused) { try await harness.signIn("alice", "wrong") }
        }
        harness.pass(seconds: 900)
        try await harness.signIn("alice")
        await #expect(throws: AccountError.refused) { try await harness.signIn("alice", "wrong") }
        try await harness.signIn("alice")
    }

    @Test func `failures outlive a restart, and servers over one store count together`() async throws {
        let harness = try AccountsHarness()
        try await harness.signUp("alice")
        let servers = [harness.services, harness.makeServices()]
        func signIn(_ password: String, at server: AccountServices) async throws {
            _ = try await server.signIn(
                Credentials(login: "alice", password: Password(password)), from: harness.client)
        }
        for number in 0..<5 {
            await #expect(throws: AccountError.refused) { try await signIn("wrong", at: servers[number % 2]) }
        }
        for server in servers + [harness.makeServices()] {
            await #expect(throws: AccountError.throttled(retryAfter: 1)) {
                try await signIn("a long enough one", at: server)
            }
        }
        harness.pass(seconds: 1)
        try await signIn("a long enough one", at: servers[0])
        await #expect(throws: AccountError.refused) { try await signIn("wrong", at: servers[1]) }
        try await signIn("a long enough one", at: servers[1])
    }

    @Test func `an unknown login waits like a known one`() async throws {
        let harness = try AccountsHarness()
        for _ in 0..<5 {
            await #expect(throws: AccountError.refused) { try await harness.signIn("nobody", "wrong") }
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await harness.signIn("NOBODY", "wrong") }
    }

    @Test func `a known device gets its owner in while others guess, and has a count of its own`() async throws {
        let harness = try AccountsHarness()
        let device = try await harness.signUp("alice").device
        for _ in 0..<5 {
            await #expect(throws: AccountError.refused) { try await harness.signIn("alice", "wrong") }
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await harness.signIn("alice") }
        #expect(try await harness.signIn("alice", device: device).device == device)
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await harness.signIn("alice") }
        for _ in 0..<5 {
            await #expect(throws: AccountError.refused) { try await harness.signIn("alice", "wrong", device: device) }
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await harness.signIn("alice", device: device)
        }
    }

    @Test func `failures at one source keep nobody out who comes from another`() async throws {
        let harness = try AccountsHarness()
        try await harness.signUp("alice")
        for _ in 0..<5 {
            await #expect(throws: AccountError.refused) { try await harness.signIn("alice", "wrong") }
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await harness.signIn("alice") }
        try await harness.signIn("alice", from: "198.51.100.7")
    }

    @Test func `a known device is let in from a source that has used up its failures`() async throws {
        let harness = try AccountsHarness()
        let device = try await harness.signUp("alice").device
        for index in 0..<20 {
            await #expect(throws: AccountError.refused) { try await harness.signIn("nobody\(index)") }
        }
        await #expect(throws: AccountError.throttled(retryAfter: 3)) { try await harness.signIn("alice") }
        try await harness.signIn("alice", device: device)
    }

    @Test func `an account keeps a login that no new account would get`() async throws {
        let harness = try AccountsHarness()
        let account = try await harness.signUp("alice").account
        _ = try await harness.store.amend(account.id) { situation in
            var account = situation.account
            account.login = Login(stored: "аlice")  // a Cyrillic letter among Latin ones
            return AccountChange(account: account, endsSessions: false, audit: harness.server.entry("x", of: "x"))
        }
        #expect(await faults { try await harness.signUp("аlice") } == ["/login login_confusable"])
        try await harness.signIn("Аlice")
        #expect(try await harness.services.administration.find(login: "аlice")?.id == account.id)
    }

    @Test func `a device known to one account is a stranger to another`() async throws {
        let harness = try AccountsHarness()
        let device = try await harness.signUp("alice").device
        try await harness.signUp("bob")
        for _ in 0..<5 {
            await #expect(throws: AccountError.refused) { try await harness.signIn("bob", "wrong") }
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await harness.signIn("bob", device: device) }
    }

    @Test func `one address has twenty failures a minute, and successes count for nothing`() async throws {
        let harness = try AccountsHarness()
        try await harness.signUp("alice")
        for index in 0..<20 {
            try await harness.signIn("alice")
            await #expect(throws: AccountError.refused) { try await harness.signIn("nobody\(index)") }
        }
        await #expect(throws: AccountError.throttled(retryAfter: 3)) { try await harness.signIn("alice") }
        try await harness.signIn("alice", from: "203.0.113.9")
        harness.pass(seconds: 3)
        try await harness.signIn("alice")
    }

    @Test func `a hash of yesterday's cost is made anew at sign-in`() async throws {
        let harness = try AccountsHarness()
        let account = try await harness.signUp("alice").account
        let dear = try #require(Argon2Cost(memory: 128, passes: 1, lanes: 1))
        let services = AccountServices(
            store: harness.store, hasher: try PasswordHasher(cost: dear), isStaff: { _ in false })
        _ = try await services.signIn(
            Credentials(login: "alice", password: Password("a long enough one")), from: harness.client)
        let hash = try #require(try await harness.store.password(of: account.id))
        #expect(!hash.isOutdated(cost: dear))
    }

    /// The parts of a sign-in over the harness's store; runs something once the password is checked.
    private func services(
        _ harness: AccountsHarness, meanwhile act: @escaping @Sendable (AccountID) async throws -> Void
    ) throws -> AccountServices {
        let cost = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
        return AccountServices(store: harness.store, hasher: try PasswordHasher(cost: cost)) { account in
            // What the session's kind depends on is looked up between the check and the opening.
            try await act(account)
            return false
        }
    }

    private static let credentials = Credentials(login: "alice", password: Password("a long enough one"))

    @Test func `a password that is reset while it is checked opens nothing`() async throws {
        let harness = try AccountsHarness()
        let account = try await harness.signUp("alice").account
        let hash = try await PasswordHasher(cost: #require(Argon2Cost(memory: 64, passes: 1, lanes: 1)))
            .hash(Password("quite another one"))
        let services = try services(harness) { id in
            try await harness.store.setPassword(
                hash, of: id, keeping: nil, audit: harness.server.entry("x", of: id.text))
        }
        await #expect(throws: AccountError.refused) {
            try await services.signIn(Self.credentials, from: harness.client)
        }
        #expect(try await harness.store.sessions(of: account.id).isEmpty)
        try await harness.signIn("alice", "quite another one")
    }

    @Test func `a costlier hash of the password that is checked is no reason to refuse`() async throws {
        let harness = try AccountsHarness()
        let account = try await harness.signUp("alice").account
        let old = try #require(try await harness.store.password(of: account.id))
        let dear = try await PasswordHasher(cost: #require(Argon2Cost(memory: 128, passes: 1, lanes: 1)))
            .hash(Password("a long enough one"))
        let services = try services(harness) { try await harness.store.rehash(dear, of: $0, replacing: old) }
        let session = try await services.signIn(Self.credentials, from: harness.client).session
        #expect(try await harness.store.sessions(of: account.id).map(\.id).contains(session.id))
    }

    @Test func `an account that is disabled or deleted while its password is checked is not let in`() async throws {
        let harness = try AccountsHarness()
        for login in ["alice", "bob"] { try await harness.signUp(login) }
        let disabling = try services(harness) { id in
            _ = try await harness.services.administration.edit(
                AdministrativeEdit.form.read(["disabled": true]), of: id, by: harness.server)
        }
        await #expect(throws: AccountError.refused) {
            try await disabling.signIn(Self.credentials, from: harness.client)
        }
        let deleting = try services(harness) { id in
            try await harness.store.delete(id) { _ in harness.server.entry("account.deleted", of: id.text) }
        }
        await #expect(throws: AccountError.refused) {
            try await deleting.signIn(
                Credentials(login: "bob", password: Password("a long enough one")), from: harness.client)
        }
    }

    @Test func `credentials are read with everything wrong at once`() async {
        #expect(
            await faults { try Credentials.form.read(["login": 5, "cookie": "yes", "x": 1]) } == [
                "/cookie wrong_type", "/login wrong_type", "/password missing_field", "/x unknown_field",
            ])
    }
}
