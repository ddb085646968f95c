public import Accounts
public import Cryptography
public import Forms
import GradingKit
public import Shared

/// The use cases of providers: signing in, and linking an account with an identity.
public struct ProviderSignIn: Sendable {
    /// The time in which a browser must return from the provider, in seconds.
    public static let lifetime: Int64 = 600

    /// What a browser gets when a sign-in begins.
    public struct Outset: Sendable {
        /// The secret that proves that the same browser returns. No script can read it.
        public let secret: SecretToken
        /// The name of the attempt, which the provider's answer repeats.
        public let name: String
        /// Where the browser must go.
        public let redirect: Redirect
    }

    /// All providers, in the order of the configuration.
    public let all: [any IdentityProvider]
    private let store: any AccountStore
    private let secondFactor: SecondFactorSignIn
    private let clock: WallClock
    private let random: RandomSource
    private let identifiers: UUIDSource
    private let rules: VouchingRules
    private let report: @Sendable (ProviderID, ProviderError) -> Void

    init(
        _ providers: [any IdentityProvider], store: any AccountStore, secondFactor: SecondFactorSignIn,
        clock: WallClock, random: RandomSource, identifiers: UUIDSource, rules: VouchingRules,
        report: @escaping @Sendable (ProviderID, ProviderError) -> Void
    ) {
        all = providers
        self.store = store
        self.secondFactor = secondFactor
        self.clock = clock
        self.random = random
        self.identifiers = identifiers
        self.rules = rules
        self.report = report
    }

    /// The provider with a name, as it is written in URLs; `nil` if there is none.
    public subscript(name: String) -> (any IdentityProvider)? { all.first { $0.id.text == name } }

    // MARK: Beginning a sign-in

    /// The content of a request to begin.
    public struct Wish: Sendable {
        /// The purpose; `nil` means signing in for a guest, and linking for an account.
        public var purpose: SignInAttempt.Purpose?
        /// The page of this site to show afterwards.
        public var returnTo: String?
        /// The digest of the token of the invitation that the person has opened.
        public var invitation: TokenDigest?

        /// Creates a wish.
        public init(
            purpose: SignInAttempt.Purpose? = nil, returnTo: String? = nil, invitation: TokenDigest? = nil
        ) {
            self.purpose = purpose
            self.returnTo = returnTo
            self.invitation = invitation
        }
    }

    /// The form of a request to begin.
    public static let wish = RequestForm("SignInAttemptInput", example: ["returnTo": "/records"]) { form in
        let invitation = form.text("invitation")
        let wish = Wish(
            purpose: form.choice("purpose", of: SignInAttempt.Purpose.self), returnTo: form.text("returnTo"),
            invitation: invitation.flatMap { SecretToken(text: $0)?.digest })
        if invitation != nil, wish.invitation == nil { form.refuse("invitation", .outOfRange) }
        if let path = wish.returnTo, !SignInAttempt.isOwnPage(path) { form.refuse("returnTo", .outOfRange) }
        return wish
    }

    /// Begins a sign-in; returns what the browser needs.
    ///
    /// - Parameter account: The account that is signed in with this browser; `nil` for a guest.
    /// - Throws: `AccountError.providerUnavailable`; `FaultList` if a signed-in account wants to sign in, a guest wants
    ///   anything else, or the provider cannot prove the identity of the account's owner.
    public func begin(
        with provider: any IdentityProvider, _ wish: Wish = Wish(), by account: AccountID?, from client: Client
    ) async throws -> Outset {
        let purpose = wish.purpose ?? (account == nil ? .signIn : .link)
        var isPossible = (purpose == .signIn) == (account == nil)
        if purpose == .stepUp, let account { isPossible = try await asking(of: account).contains(provider.id) }
        guard isPossible else { throw FaultList([Fault(.outOfRange, at: "/purpose")]) }
        let now = clock.now
        let secret = SecretToken(random: random)
        let attempt = SignInAttempt(
            provider: provider.id, purpose: purpose, account: account, name: Base64.url.encode(random.bytes(16)),
            verifier: Base64.url.encode(random.bytes(32)), nonce: Base64.url.encode(random.bytes(16)),
            returnTo: wish.returnTo, invitation: wish.invitation, begunAt: now)
        let redirect = try await asking(provider) { try await provider.begin(attempt) }
        let token = OneUseToken(
            .attempt(attempt), of: OneUseToken.Holder(account, at: client),
            expiresAt: now.adding(seconds: Self.lifetime))
        try await store.issue(token, digest: secret.digest, at: now)
        return Outset(secret: secret, name: attempt.name, redirect: redirect)
    }

    /// Returns the providers that can authenticate an account's owner again.
    func asking(of account: AccountID) async throws -> [ProviderID] {
        let issuers = Set(try await store.identities(of: account).map(\.issuer))
        return all.filter { $0.asksAgain && issuers.contains($0.issuer) }.map(\.id)
    }

    // MARK: Completing a sign-in

    /// The form of a request to complete a sign-in.
    public static let signIn = RequestForm(
        "ProviderSignIn", example: ["code": "…", "state": "…", "cookie": true]
    ) { form in
        (reply: ProviderReply(&form), wantsCookie: form.flag("cookie") ?? false, deviceName: form.deviceName())
    }
    /// The form of a request to complete a link.
    public static let linking = RequestForm("ProviderReply", example: ["code": "…", "state": "…"]) {
        ProviderReply(&$0)
    }

    /// Signs in a person. At the first sign-in, creates the account if the provider's rule allows it.
    ///
    /// - Parameters:
    ///   - present: The account that is signed in with this browser. A sign-in never switches to another one.
    ///   - device: The token of the browser from an earlier sign-in.
    /// - Throws: `FaultList` with `sign_in_expired` if the attempt has expired or is another one, `sign_in_refused` if
    ///   the assertion is not valid, was used, or belongs to a disabled account, `sign_up_closed` if the person has no
    ///   account and gets none; `AccountError.providerUnavailable`; `SecondFactorRequired` if the account has a second
    ///   factor.
    public func callAsFunction(
        _ reply: ProviderReply, with provider: any IdentityProvider, attempt secret: SecretToken?,
        present: AccountID? = nil, device: SecretToken? = nil, from client: Client
    ) async throws -> (session: NewSession, returnTo: String?) {
        let (attempt, assertion) = try await assertion(reply, provider, secret) { $0.purpose == .signIn }
        let welcome = present == nil ? provider.signUp.welcome(with: attempt.invitation) : .nobody
        guard let account = try await admit(assertion, by: provider, welcoming: welcome, from: client) else {
            if present != nil { throw Self.refused(provider) }
            throw FaultList([Fault(.signUpClosed, at: "/\(provider.proof.rawValue)")])
        }
        guard !account.isDisabled, present == nil || present == account.id else { throw Self.refused(provider) }
        try await rules.heed(account.id, assertion, AuditContext(by: nil, from: client.source, at: clock.now))
        let session: NewSession
        do {
            session = try await secondFactor.admit(
                account, by: .identity(assertion), showing: assertion.factors,
                askedAt: assertion.askedAt ?? Timestamp(microseconds: 0), from: client,
                device: try await known(device, to: account))
        } catch var required as SecondFactorRequired {
            required.returnTo = attempt.returnTo
            throw required
        } catch StoreError.moved, StoreError.notFound {
            // The link or the account was removed in the meantime.
            throw Self.refused(provider)
        }
        if let invitation = attempt.invitation {
            try await rules.offer(
                invitation, account.id, AuditContext(by: account.id, from: client.source, at: clock.now))
        }
        return (session, attempt.returnTo)
    }

    /// Returns the browser's device token, if the device has signed in to the account before.
    private func known(_ device: SecretToken?, to account: Account) async throws -> SecretToken? {
        guard let device, try await store.credentials(of: account.login, device: device.digest)?.knowsDevice == true
        else { return nil }
        return device
    }

    /// Handles a message that a person has signed out at the provider, and ends the sessions that were opened there.
    ///
    /// - Throws: `LogoutRefused` if the message is not valid or was used before; `AccountError.providerUnavailable`.
    public func logOut(
        _ form: [String: String], with provider: any IdentityProvider, from client: Client
    ) async throws {
        do {
            let notice = try await provider.logout(form)
            try await store.end(by: notice, as: AuditContext(by: nil, from: client.source, at: clock.now))
        } catch let error as ProviderError {
            report(provider.id, error)
            if case .unavailable = error { throw AccountError.providerUnavailable }
            throw LogoutRefused()
        } catch StoreError.taken {
            throw LogoutRefused()
        }
    }

    /// Links an identity with the account that began the attempt.
    ///
    /// - Throws: `FaultList` as for a sign-in, with `identity_taken` if the person has another account here, and with
    ///   `identity_present` if the account is linked with another identity of the provider.
    public func link(
        _ reply: ProviderReply, with provider: any IdentityProvider, attempt secret: SecretToken?,
        to account: AccountID,
        from client: Client
    ) async throws -> LinkedIdentity {
        let (_, assertion) = try await assertion(reply, provider, secret) { attempt in
            attempt.purpose == .link && attempt.account == account
        }
        let act = AuditContext(by: account, from: client.source, at: clock.now)
        do {
            return try await store.link(assertion, to: account, by: act)
        } catch StoreError.taken(let field) {
            let place = "/\(provider.proof.rawValue)"
            switch field {
            case "subject": throw FaultList([Fault(.identityTaken, at: place)])
            case "issuer": throw FaultList([Fault(.identityPresent, at: place)])
            default: throw Self.refused(provider)
            }
        }
    }

    /// Returns the assertion of a provider that has authenticated a session's owner again.
    ///
    /// - Throws: `FaultList` with `sign_in_expired` if the attempt has expired or is another one, `sign_in_refused` if
    ///   the assertion is not valid.
    func proof(
        _ input: FormInput<ProviderProof>, attempt secret: SecretToken?, of account: AccountID
    ) async throws -> Assertion {
        let proof = try input.finished()
        guard let provider = proof.provider.flatMap({ self[$0] }) else { throw Self.expired }
        let (_, assertion) = try await assertion(proof.reply, provider, secret) { attempt in
            attempt.purpose == .stepUp && attempt.account == account
        }
        return assertion
    }

    /// Uses up the attempt, then asks the provider: after a wrong proof, the sign-in must begin again.
    private func assertion(
        _ reply: ProviderReply, _ provider: any IdentityProvider, _ secret: SecretToken?,
        if isMeant: (SignInAttempt) -> Bool
    ) async throws -> (attempt: SignInAttempt, assertion: Assertion) {
        let (callback, name) = try reply.read(provider.proof)
        guard let secret, let attempt = try await use(secret, named: name, with: provider.id), isMeant(attempt) else {
            throw Self.expired
        }
        return (attempt, try await asking(provider) { try await provider.complete(callback, of: attempt) })
    }

    /// Uses up the attempt with a name; leaves another attempt of the same browser alone.
    private func use(
        _ secret: SecretToken, named name: String, with provider: ProviderID
    ) async throws -> SignInAttempt? {
        let found = try await store.redeem(secret.digest, at: clock.now) { token in
            if case .attempt(let attempt) = token.meaning {
                attempt.name == name && attempt.provider == provider
            } else {
                false
            }
        }
        guard case .attempt(let attempt)? = found?.meaning else { return nil }
        return attempt
    }

    /// Runs a request to a provider, and reports its error to the operator.
    private func asking<Answer: Sendable>(
        _ provider: any IdentityProvider, _ question: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await question()
        } catch let error as ProviderError {
            report(provider.id, error)
            switch error {
            case .refused: throw Self.refused(provider)
            case .unavailable: throw AccountError.providerUnavailable
            }
        }
    }

    // MARK: Creating the account

    private func admit(
        _ assertion: Assertion, by provider: any IdentityProvider, welcoming welcome: SignUpRule.Welcome,
        from client: Client
    ) async throws -> Account? {
        let logins = welcome == .nobody ? [nil] : self.logins(for: assertion, of: provider.id)
        for login in logins {
            do {
                return try await store.admit(
                    assertion, or: login.map { newcomer($0, assertion, by: welcome.invitation, from: client) })
            } catch StoreError.notFound {
                // Another person accepted the invitation, or it was withdrawn.
                return nil
            } catch StoreError.taken(field: "login") {
                continue
            } catch StoreError.taken {
                throw Self.refused(provider)
            }
        }
        throw Self.refused(provider)
    }

    private func newcomer(
        _ login: Login, _ assertion: Assertion, by invitation: TokenDigest?, from client: Client
    ) -> NewAccount {
        let now = clock.now
        // A name that could deceive readers is not used.
        let name =
            [assertion.displayName, assertion.loginHint, assertion.subject]
            .lazy.compactMap { Self.line($0) }.first ?? login.text
        let account = Account(
            id: AccountID(identifiers.next()), createdAt: now, login: login,
            profile: Profile(
                displayName: name,
                personName: PersonName(
                    given: Self.line(assertion.personName.given), family: Self.line(assertion.personName.family)),
                locale: assertion.locale))
        let act = AuditContext(by: account.id, from: client.source, at: now)
        return NewAccount(
            account: account, audit: act.entry("account.created", of: account.id.text, detail: account.auditText),
            invitation: invitation)
    }

    private static func line(_ name: String?) -> String? { name.flatMap { try? PlainText.line($0, max: 100) } }

    /// Returns the logins to try for a person: `ada@university`, and then with some digits, in case it is taken.
    private func logins(for assertion: Assertion, of provider: ProviderID) -> [Login?] {
        let wished = (assertion.loginHint ?? assertion.subject).unicodeScalars
        let allowed = wished.filter { (try? Login("a\($0)")) != nil }
        let name = String(String.UnicodeScalarView(allowed.prefix(64)))
        let base = (try? Login(name)).map(\.text) ?? "person"
        let endings = [""] + (0..<3).map { _ in "-" + random.bytes(4).hexadecimal }
        return endings.compactMap { try? Login("\(base)\($0)@\(provider)") }
    }

    static let expired = FaultList([Fault(.signInExpired)])

    private static func refused(_ provider: any IdentityProvider) -> FaultList {
        FaultList([Fault(.signInRefused, at: "/\(provider.proof.rawValue)")])
    }
}

/// The error if a message that a person has signed out at a provider is not valid.
public struct LogoutRefused: Error, Equatable, Sendable {}
