import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import Rosefire
import SQLiteStore
import Shared
import Testing

@Suite struct RosefireSignInTests {
    private let secrets: RosefireSecrets
    private let harness: AccountsHarness
    private let rosefire: RosefireCampus

    init() throws {
        let secrets = try Issuer.secrets(Issuer.secret)
        self.secrets = secrets
        harness = try AccountsHarness(providers: { clock in
            [RosefireProvider(secrets: secrets, page: "/page", allowsSignUp: true, clock: clock)]
        })
        rosefire = try RosefireCampus(harness)
    }

    @discardableResult
    private func signIn(_ uid: String = "ada", token: String? = nil) async throws -> NewSession {
        let token = token ?? Issuer.token(["uid": .string(uid), "name": "Ada"], at: harness.now)
        return try await come(token, rosefire.begin(by: nil))
    }

    /// Comes back with a token for an attempt.
    @discardableResult
    private func come(_ token: String, _ outset: ProviderSignIn.Outset?) async throws -> NewSession {
        try await rosefire(Self.body(token, outset), attempt: outset?.secret, from: harness.client)
    }

    private static func body(_ token: String, _ outset: ProviderSignIn.Outset?) -> JSON {
        ["token": .string(token), "attempt": .string(outset?.name ?? "")]
    }

    private func link(_ uid: String, to account: AccountID, beganBy other: AccountID? = nil) async throws
        -> LinkedIdentity
    {
        harness.pass(seconds: 1)
        let outset = try await rosefire.begin(by: other ?? account)
        return try await rosefire.link(
            Self.body(Issuer.token(["uid": .string(uid)], at: harness.now), outset), attempt: outset?.secret,
            to: account, from: harness.client)
    }

    @Test func `the first time makes an account, later ones find it`() async throws {
        let first = try await signIn()
        #expect(first.account.login.text == "ada@rosefire" && first.account.profile.displayName == "Ada")
        #expect(first.account.role == nil)
        harness.pass(seconds: 5)
        #expect(try await signIn().account.id == first.account.id)
        #expect(try await signIn("bob").account.id != first.account.id)
    }

    @Test func `a token is believed once, also in another attempt`() async throws {
        let token = Issuer.token(at: harness.now)
        try await signIn(token: token)
        #expect(await faults { try await signIn(token: token) } == ["/token sign_in_refused"])
        _ = try await harness.services.administration.tidy()
        #expect(await faults { try await signIn(token: token) } == ["/token sign_in_refused"])
    }

    @Test func `its hash is forgotten once its age alone refuses it`() async throws {
        let text = Issuer.token(at: harness.now)
        let token = try #require(RosefireToken(text: text, secrets: secrets, at: harness.now))
        let account = try await signIn(token: text).account.id
        let assertion = Assertion(
            issuer: "rosefire", subject: token.subject, digest: token.digest, expiresAt: token.expiresAt)
        harness.pass(seconds: 120)
        try await harness.services.administration.tidy()
        await #expect(throws: StoreError.taken(field: "digest")) { try await harness.store.admit(assertion, or: nil) }
        harness.pass(seconds: 2)
        try await harness.services.administration.tidy()
        #expect(try await harness.store.admit(assertion, or: nil)?.id == account)
    }

    @Test func `only the browser that set out comes back, once and within ten minutes`() async throws {
        let attempt = try await rosefire.begin(by: nil)
        func tried(_ name: String?, _ secret: SecretToken?) async -> [String] {
            let token = Issuer.token(
                ["uid": "ada"], at: harness.now, claims: ["n": .number("\(Int.random(in: 0...1 << 60))")])
            let body: JSON = ["token": .string(token), "attempt": .string(name ?? "")]
            return await faults { try await rosefire(body, attempt: secret, from: harness.client) }
        }
        #expect(await tried(attempt?.name, nil) == [" sign_in_expired"])
        #expect(await tried(attempt?.name, SecretToken(random: .system)) == [" sign_in_expired"])
        #expect(await tried(attempt?.name, attempt?.secret) == [])
        #expect(await tried(attempt?.name, attempt?.secret) == [" sign_in_expired"])
        let late = try await rosefire.begin(by: nil)
        harness.pass(seconds: 600)
        #expect(await tried(late?.name, late?.secret) == [" sign_in_expired"])
    }

    @Test func `a token goes with the attempt that asked for it, and leaves the others alone`() async throws {
        let (first, second) = try await (rosefire.begin(by: nil), rosefire.begin(by: nil))
        let token = Issuer.token(at: harness.now)
        let mixed: JSON = ["token": .string(token), "attempt": .string(first?.name ?? "")]
        #expect(
            await faults { try await rosefire(mixed, attempt: second?.secret, from: harness.client) }
                == [" sign_in_expired"])
        try await come(token, second)
    }

    @Test func `a token from before the attempt is refused`() async throws {
        let token = Issuer.token(at: harness.now)
        harness.pass(seconds: RosefireToken.maximumLead)
        let outset = try await rosefire.begin(by: nil)
        harness.pass(seconds: 1)
        let late = try await rosefire.begin(by: nil)
        #expect(await faults { try await come(token, late) } == ["/token sign_in_refused"])
        try await come(token, outset)
    }

    @Test func `a refused token uses the attempt up`() async throws {
        let attempt = try await rosefire.begin(by: nil)
        for code in ["/token sign_in_refused", " sign_in_expired"] {
            #expect(await faults { try await come("x.y.z", attempt) } == [code])
        }
    }

    @Test func `an account of the same name is somebody else's`() async throws {
        let local = try await harness.signUp("ada@rosefire")
        let account = try await signIn().account
        #expect(account.id != local.account.id && account.login.text.hasPrefix("ada-"))
        #expect(account.login.text.hasSuffix("@rosefire"))
    }

    @Test(arguments: ["学生 7", "-", "a/b c", "😀", String(repeating: "x", count: 128)])
    func `whatever the person is called there is a login for`(uid: String) async throws {
        #expect(try await signIn(uid).account.login.text.hasSuffix("@rosefire"))
    }

    @Test func `a disabled account is not let in`() async throws {
        let account = try await signIn().account
        _ = try await harness.services.administration.edit(
            AdministrativeEdit.form.read(["disabled": true]), of: account.id, by: harness.server)
        harness.pass(seconds: 1)
        #expect(await faults { try await signIn() } == ["/token sign_in_refused"])
    }

    @Test func `an identity that is removed while it signs in opens nothing`() async throws {
        let account = try await signIn().account
        let unlinking = AccountServices(
            store: harness.store,
            hasher: try PasswordHasher(cost: #require(Argon2Cost(memory: 64, passes: 1, lanes: 1))),
            providers: [rosefire.provider], clock: WallClock { [harness] in harness.now }
        ) { [harness] id in
            try await harness.store.unlink(
                issuer: RosefireProvider.id.text, from: id, keeping: nil, by: harness.server
            ) { _ in }
            return false
        }
        let other = try RosefireCampus(unlinking)
        let outset = try await other.begin(by: nil)
        let body = Self.body(Issuer.token(at: harness.now, claims: ["n": 2]), outset)
        #expect(
            await faults { try await other(body, attempt: outset?.secret, from: harness.client) }
                == ["/token sign_in_refused"])
        // The one that it opened before has ended with it.
        #expect(try await harness.store.sessions(of: account.id).isEmpty)
    }

    @Test func `a deleted account's person is a newcomer`() async throws {
        let first = try await signIn().account
        try await harness.services.profiles.delete(first.id, by: harness.server)
        harness.pass(seconds: 1)
        #expect(try await signIn().account.id != first.id)
    }

    @Test func `where accounts are not made, the linked are let in and nobody else`() async throws {
        let harness = try AccountsHarness(providers: { [secrets] clock in
            [RosefireProvider(secrets: secrets, page: "/page", allowsSignUp: false, clock: clock)]
        })
        let rosefire = try RosefireCampus(harness)
        func come(_ uid: String) async throws -> NewSession {
            let outset = try await rosefire.begin(by: nil)
            return try await rosefire(
                Self.body(Issuer.token(["uid": .string(uid)], at: harness.now), outset), attempt: outset?.secret,
                from: harness.client)
        }
        #expect(await faults { try await come("ada") } == ["/token sign_up_closed"])
        let local = try await harness.signUp("alice").account.id
        harness.pass(seconds: 1)
        let outset = try await rosefire.begin(by: local)
        _ = try await rosefire.link(
            Self.body(Issuer.token(at: harness.now), outset), attempt: outset?.secret, to: local, from: harness.client)
        harness.pass(seconds: 1)
        #expect(try await come("ada").account.id == local)
    }

    @Test func `linking is for whoever set out signed in`() async throws {
        let alice = try await harness.signUp("alice").account.id
        let bob = try await harness.signUp("bob").account.id
        #expect(await faults { try await link("ada", to: alice, beganBy: bob) } == [" sign_in_expired"])
        #expect(try await link("ada", to: alice).subject == "ada")
        harness.pass(seconds: 1)
        #expect(try await signIn("ada").account.id == alice)
        #expect(try await link("ada", to: alice).subject == "ada")
        #expect(await faults { try await link("ada", to: bob) } == ["/token identity_taken"])
        #expect(await faults { try await link("eve", to: alice) } == ["/token identity_present"])
    }

    private func owner(of session: NewSession) async throws -> SignedIn {
        try #require(try await harness.services.sessions.authenticate(session.token))
    }

    @Test func `a link ends, unless it is the only way in`() async throws {
        let identities = harness.services.identities
        let alice = try await owner(of: harness.signUp("alice"))
        _ = try await link("ada", to: alice.account)
        #expect(try await identities.list(of: alice.account).identities.map(\.subject) == ["ada"])
        try await identities.unlink("rosefire", of: alice, from: "test")
        #expect(try await identities.list(of: alice.account) == ([], true))
        await #expect(throws: StoreError.notFound) {
            try await identities.unlink("rosefire", of: alice, from: "test")
        }
        let bob = try await owner(of: signIn("bob"))
        #expect(await faults { try await identities.unlink("rosefire", of: bob, from: "t") } == [" last_sign_in"])
        #expect(try await identities.list(of: bob.account).identities.count == 1)
    }

    @Test func `making, linking and unlinking stand in the trail`() async throws {
        let session = try await owner(of: harness.signUp("alice"))
        let alice = session.account
        _ = try await link("ada", to: alice)
        try await harness.services.identities.unlink("rosefire", of: session, from: "test")
        let bob = try await signIn("bob").account.id
        func actions(_ id: AccountID) async throws -> [String] {
            try await harness.services.administration.audit(AuditQuery(subject: id.text)).map(\.entry.action)
        }
        #expect(
            try await actions(alice) == ["identity.unlinked", "identity.linked", "session.opened", "account.created"])
        #expect(try await actions(bob) == ["session.opened", "identity.linked", "account.created"])
    }

    @Test func `of the same token at once one gets in`() async throws {
        let token = Issuer.token(at: harness.now)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? await signIn(token: token)) != nil } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 } == 1)
    }
}

/// Sign-in with Rosefire as the API asks for it.
private struct RosefireCampus {
    let signIn: ProviderSignIn
    let provider: any IdentityProvider

    init(_ harness: AccountsHarness) throws { try self.init(harness.services) }

    init(_ services: AccountServices) throws {
        signIn = services.providers
        provider = try #require(services.providers["rosefire"])
    }

    func begin(by account: AccountID?) async throws -> ProviderSignIn.Outset? {
        try await signIn.begin(with: provider, by: account, from: Client(source: "192.0.2.1"))
    }

    func callAsFunction(_ body: JSON, attempt: SecretToken?, from client: Client) async throws -> NewSession {
        try await signIn(
            ProviderSignIn.signIn.read(body).reply, with: provider, attempt: attempt, from: client
        ).session
    }

    func link(
        _ body: JSON, attempt: SecretToken?, to account: AccountID, from client: Client
    ) async throws -> LinkedIdentity {
        try await signIn.link(
            ProviderSignIn.linking.read(body), with: provider, attempt: attempt, to: account, from: client)
    }
}
