public import Accounts
public import Cryptography
public import Forms
import GradingKit
public import Shared

/// The use cases of passkeys (WebAuthn Level 2): signing in, which counts as both factors, and managing one's own.
public struct Passkeys: Sendable {
    /// The options that a browser passes to the authenticator.
    public struct Options: Sendable {
        /// The random challenge, which can be used once.
        public let challenge: SecretToken
        /// The relying party's identifier.
        public let party: String
        /// What is needed to create a passkey; `nil` for other purposes.
        public let registration: Registration?

        /// What the browser needs to create a passkey.
        public struct Registration: Sendable {
            /// The user handle by which authenticators know the account.
            public let userHandle: [UInt8]
            /// The account that will own the passkey.
            public let account: Account
            /// The credential identifiers of the account's existing passkeys.
            public let existing: [[UInt8]]
        }
    }

    /// The time that a challenge is valid, in seconds.
    public static let lifetime: Int64 = 300
    /// The COSE numbers of the accepted algorithms, the preferred one first.
    public static var algorithms: [Int64] { COSEKey.algorithms.map(\.number) }

    /// The relying party: this server as authenticators know it.
    public let party: RelyingParty
    let store: any AccountStore
    let sessions: Sessions
    let clock: WallClock
    let random: RandomSource
    let identifiers: UUIDSource
    /// The issuers of the configured providers.
    let issuers: Set<String>

    /// The form of a request for options.
    public static let optionsForm = RequestForm("PasskeyOptionsInput", example: ["purpose": "signIn"]) { form in
        form.choice("purpose", of: PasskeyChallenge.Purpose.self, required: true)
    }

    /// Returns an account's passkeys.
    public func list(of account: AccountID) async throws -> [Passkey] { try await store.passkeys(of: account) }

    /// Creates the options for a purpose, with a new challenge.
    ///
    /// - Parameter account: The account that asks; `nil` for a sign-in.
    public func options(for purpose: PasskeyChallenge.Purpose, of account: AccountID?, from client: Client) async throws
        -> Options
    {
        let (challenge, now) = (SecretToken(random: random), clock.now)
        let token = OneUseToken(
            .passkey(PasskeyChallenge(purpose: purpose, account: account)),
            of: OneUseToken.Holder(account, at: client), expiresAt: now.adding(seconds: Self.lifetime))
        try await store.issue(token, digest: challenge.digest, at: now)
        var registration: Options.Registration?
        if purpose == .register, let account, let owner = try await store.account(account) {
            registration = Options.Registration(
                userHandle: try await store.userHandle(of: account, orElse: random.bytes(32)), account: owner,
                existing: try await store.passkeys(of: account).map(\.credential))
        }
        return Options(challenge: challenge, party: party.id, registration: registration)
    }

    /// Registers a new passkey.
    ///
    /// - Throws: `FaultList` with `passkey_refused` if it does not answer the challenge, `sign_in_expired` if the
    ///   challenge is too old, or `passkey_limit` beyond ``Passkey/capacity``.
    public func register(
        _ request: PasskeyRegistration, of signedIn: SignedIn, from client: Client
    ) async throws -> Passkey {
        _ = try await check(request.clientData, as: .create, for: .register, of: signedIn.account)
        guard let attestation = request.attestation, let credential = party.credential(attestation) else {
            throw PasskeyPlans.refused
        }
        let act = AuditContext(by: signedIn.account, from: client.source, at: clock.now)
        let passkey = Passkey(
            id: identifiers.next(), account: signedIn.account, credential: credential.credential.id,
            key: credential.credential.key, createdAt: act.at, name: request.name ?? "", counter: credential.counter)
        return try await store.changePasskeys(of: signedIn.account, credential: passkey.credential) {
            try PasskeyPlans.registration(of: passkey, in: signedIn.session, $0, by: act)
        }
    }

    /// Signs in the passkey's owner.
    ///
    /// - Throws: `FaultList` with `passkey_refused` or `sign_in_expired`.
    public func callAsFunction(
        _ request: PasskeySignIn, device: SecretToken?, from client: Client
    ) async throws -> NewSession {
        let (account, credential) = try await use(request.assertion, for: .signIn, of: nil, from: client)
        let device = request.device ?? device
        let stored = try await store.credentials(of: account.login, device: device?.digest)
        do {
            return try await sessions.open(
                account, by: .passkey(credential), showing: .own, from: client.named(request.deviceName),
                device: stored?.knowsDevice == true ? device : nil)
        } catch StoreError.moved, StoreError.notFound {
            // The passkey was removed, or the account disabled, in the meantime.
            throw PasskeyPlans.refused
        }
    }

    /// Checks that a passkey was used for a purpose, and returns its owner. Throws a `FaultList` with `passkey_refused`
    /// or `sign_in_expired`.
    func use(
        _ assertion: PasskeyAssertion, for purpose: PasskeyChallenge.Purpose, of account: AccountID?,
        from client: Client
    ) async throws -> (owner: Account, credential: [UInt8]) {
        let clientData = try await check(assertion.clientData, as: .get, for: purpose, of: account)
        guard let credential = assertion.credential, let bytes = assertion.authenticatorData,
            let signature = assertion.signature, let data = AuthenticatorData(bytes), party.accepts(data),
            let passkey = try await store.passkey(credential: credential),
            COSEKey(passkey.key)?.isValid(signature, for: bytes + clientData.digest) == true,
            account == nil || account == passkey.account,
            let owner = try await store.account(passkey.account), !owner.isDisabled,
            try await isHandle(assertion.userHandle, of: owner.id, purpose)
        else { throw PasskeyPlans.refused }
        let act = AuditContext(by: owner.id, from: client.source, at: clock.now)
        let counts = try await store.changePasskeys(of: owner.id, credential: nil) {
            try PasskeyPlans.use(credential, counter: data.counter, in: $0, by: act)
        }
        guard counts else { throw PasskeyPlans.refused }
        return (owner, credential)
    }

    /// Returns whether the user handle is that of the account. It may be missing unless the purpose is to sign in.
    private func isHandle(_ handle: [UInt8]?, of account: AccountID, _ purpose: PasskeyChallenge.Purpose) async throws
        -> Bool
    {
        guard let handle else { return purpose != .signIn }
        return try await store.userHandle(of: account, orElse: random.bytes(32)) == handle
    }

    /// Checks the client data of a browser and uses up its challenge; after a wrong answer, the browser needs a new
    /// one.
    private func check(
        _ bytes: [UInt8]?, as kind: ClientData.Kind, for purpose: PasskeyChallenge.Purpose, of account: AccountID?
    ) async throws -> ClientData {
        guard let bytes, let data = ClientData(bytes, as: kind), party.accepts(origin: data.origin) else {
            throw PasskeyPlans.refused
        }
        let wanted = PasskeyChallenge(purpose: purpose, account: account)
        let found = try await store.redeem(data.challenge.digest, at: clock.now) { $0.meaning == .passkey(wanted) }
        guard found != nil else { throw CodeRefusal.expired }
        return data
    }

    /// Renames a passkey; throws `StoreError.notFound` if the account has no such passkey.
    public func rename(
        _ id: String, to name: PasskeyName, of account: AccountID, by act: AuditContext
    ) async throws -> Passkey {
        return try await store.changePasskeys(of: account, credential: nil) {
            try PasskeyPlans.renaming(id, to: name.text, in: $0, by: act)
        }
    }

    /// Removes a passkey; throws `StoreError.notFound` if the account has no such passkey, and a `FaultList` with
    /// `last_sign_in` if no other way to sign in remains.
    public func remove(_ id: String, of account: AccountID, by act: AuditContext) async throws {
        try await store.changePasskeys(of: account, credential: nil) {
            try PasskeyPlans.removal(of: id, in: $0, through: issuers, by: act)
        }
    }
}
