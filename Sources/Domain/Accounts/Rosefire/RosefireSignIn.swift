public import Cryptography
public import Forms
public import JSON
import Messages
public import Shared

/// Sign-in with Rosefire, and linking an account to the person that Rosefire knows.
public struct RosefireSignIn: Sendable {
    /// What an operator decides.
    public struct Settings: Sendable {
        /// The secrets shared with Rosefire.
        public let secrets: RosefireSecrets
        /// The address of Rosefire's own page, with a query.
        public let page: String
        /// Whether a person without an account gets one.
        public let allowsSignUp: Bool

        /// Settings.
        public init(secrets: RosefireSecrets, page: String, allowsSignUp: Bool) {
            self.secrets = secrets
            self.page = page
            self.allowsSignUp = allowsSignUp
        }
    }

    /// Names Rosefire among those who vouch for people.
    public static let issuer = "rosefire"
    /// Seconds between setting out and coming back.
    public static let patience: Int64 = 600

    /// What a browser that sets out is given.
    public struct Outset: Sendable {
        /// Proves that the browser is the same, and no script reads it.
        public let secret: SecretToken
        /// Names the attempt, so that a token goes with the attempt that asked for it.
        public let name: String
    }

    /// What an operator decided.
    public let settings: Settings
    let store: any AccountStore
    let secondFactor: SecondFactorSignIn
    let clock: WallClock
    let random: RandomSource
    let identifiers: UUIDSource

    init(
        _ settings: Settings, store: any AccountStore, secondFactor: SecondFactorSignIn, clock: WallClock,
        random: RandomSource, identifiers: UUIDSource
    ) {
        self.settings = settings
        self.store = store
        self.secondFactor = secondFactor
        self.clock = clock
        self.random = random
        self.identifiers = identifiers
    }

    /// Sets out: what the browser must show with Rosefire's token; `nil` while far too many are under way.
    public func begin(by account: AccountID?) async throws -> Outset? {
        let (name, secret, now) = (Base64.url.encode(random.bytes(16)), SecretToken(random: random), clock.now)
        let attempt = SignInAttempt(account: account, name: name, begunAt: now)
        let token = OneUseToken(.attempt(attempt), expiresAt: now.adding(seconds: Self.patience))
        guard try await store.issue(token, digest: secret.digest, at: now) else { return nil }
        return Outset(secret: secret, name: name)
    }

    /// What Rosefire's page sent, and the attempt that asked for it.
    public struct Reply: Sendable {
        let token: String?
        let attempt: String?

        init(_ form: inout Form) {
            token = form.text("token", required: true)
            attempt = form.text("attempt", required: true)
        }
    }

    /// What a request to sign in holds.
    public static let signIn = RequestForm("RosefireSignIn", example: ["token": "…", "attempt": "…"]) { form in
        (reply: Reply(&form), wantsCookie: form.flag("cookie") ?? false, deviceName: form.deviceName())
    }
    /// What a request to link an account holds.
    public static let linking = RequestForm("RosefireToken", example: ["token": "…", "attempt": "…"]) { Reply(&$0) }

    /// Comes back with `{token, attempt}`, and signs in. The first time it makes the account, if that is allowed.
    ///
    /// Throws a `FaultList` — `sign_in_expired` for an attempt that is over or another one, `sign_in_refused` for a token
    /// that is not believed, was used, is older than the attempt, or is of a disabled account — or
    /// `AccountError.signUpClosed`, and `SecondFactorRequired` for an account with a second factor, which Rosefire does not
    /// ask for.
    public func callAsFunction(
        _ body: JSON, attempt: SecretToken?, from client: Client
    ) async throws -> NewSession {
        let (_, token) = try await read(try Self.signIn.read(body).reply, attempt)
        let assertion = Self.assertion(of: token)
        guard let account = try await admit(assertion, token, from: client) else { throw AccountError.signUpClosed }
        guard !account.isDisabled else { throw Self.refused }
        return try await secondFactor.admit(account, from: client)
    }

    /// Comes back with `{token, attempt}`, and links the person to the account that set out.
    ///
    /// Throws a `FaultList`, also `identity_taken` for a person who has another account here and `identity_present`
    /// for an account that another person of Rosefire's is linked to.
    public func link(
        _ body: JSON, attempt: SecretToken?, to account: AccountID, from client: Client
    ) async throws -> LinkedIdentity {
        let (attempt, token) = try await read(try Self.linking.read(body), attempt)
        guard attempt.account == account else { throw Self.expired }
        let act = AuditContext(by: account, from: client.source, at: clock.now)
        do {
            return try await store.link(Self.assertion(of: token), to: account, by: act)
        } catch StoreError.taken(let field) {
            switch field {
            case "subject": throw FaultList([Fault(.identityTaken, at: "/token")])
            case "issuer": throw FaultList([Fault(.identityPresent, at: "/token")])
            default: throw Self.refused
            }
        }
    }

    /// Uses up the attempt, then looks at the token: a wrong guess costs a new beginning.
    private func read(
        _ reply: Reply, _ secret: SecretToken?
    ) async throws -> (attempt: SignInAttempt, token: RosefireToken) {
        guard let secret, let attempt = try await use(secret, named: reply.attempt) else { throw Self.expired }
        guard let text = reply.token,
            let token = RosefireToken(text: text, secrets: settings.secrets, at: clock.now),
            token.isIssued(after: attempt.begunAt)
        else { throw Self.refused }
        return (attempt, token)
    }

    /// Uses up the attempt of that name; another one of the same browser is left alone.
    private func use(_ secret: SecretToken, named name: String?) async throws -> SignInAttempt? {
        let found = try await store.redeem(secret.digest, at: clock.now) { token in
            if case .attempt(let attempt) = token.meaning { attempt.name == name } else { false }
        }
        guard case .attempt(let attempt)? = found?.meaning else { return nil }
        return attempt
    }

    private func admit(_ assertion: Assertion, _ token: RosefireToken, from client: Client) async throws -> Account? {
        let logins = settings.allowsSignUp ? self.logins(for: token.subject) : [nil]
        for login in logins {
            do {
                return try await store.admit(assertion, or: login.map { newcomer($0, token, from: client) })
            } catch StoreError.taken(field: "login") {
                continue
            } catch StoreError.taken {
                throw Self.refused
            }
        }
        throw Self.refused
    }

    private func newcomer(_ login: Login, _ token: RosefireToken, from client: Client) -> NewAccount {
        let now = clock.now
        let account = Account(
            id: AccountID(identifiers.next()), createdAt: now, login: login,
            profile: Profile(displayName: token.displayName ?? String(token.subject.unicodeScalars.prefix(100))))
        let act = AuditContext(by: account.id, from: client.source, at: now)
        return NewAccount(
            account: account, audit: act.entry("account.created", of: account.id.text, detail: account.auditText))
    }

    /// Logins to try for a person: `ada@rosefire`, and with a few digits when that is taken.
    private func logins(for subject: String) -> [Login?] {
        let allowed = subject.unicodeScalars.filter { (try? Login("a\($0)")) != nil }
        let name = String(String.UnicodeScalarView(allowed.prefix(64)))
        let base = (try? Login(name)).map(\.text) ?? "person"
        let endings = [""] + (0..<3).map { _ in "-" + random.bytes(4).hexadecimal }
        return endings.compactMap { try? Login("\(base)\($0)@\(Self.issuer)") }
    }

    private static func assertion(of token: RosefireToken) -> Assertion {
        Assertion(issuer: issuer, subject: token.subject, digest: token.digest, expiresAt: token.expiresAt)
    }

    private static let expired = FaultList([Fault(.signInExpired)])
    private static let refused = FaultList([Fault(.signInRefused, at: "/token")])
}
