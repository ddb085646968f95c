public import Cryptography
public import Forms
import JSON
import Messages
public import Shared

/// The use cases of passkeys (WebAuthn Level 2): signing in, which counts as both factors, and managing one's own.
public struct Passkeys: Sendable {
    /// The purpose of a challenge.
    public enum Purpose: String, Sendable, CaseIterable {
        /// To sign in with any account.
        case signIn
        /// To create a passkey for the account that is signed in.
        case register
        /// To prove again that the session's owner is present.
        case proof
    }

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
    public static let patience: Int64 = 300
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
        form.choice("purpose", of: Purpose.self, required: true)
    }

    /// A browser's assertion that a passkey was used, decoded from base64url.
    public struct Assertion: Sendable {
        let credential: [UInt8]?
        let clientData: [UInt8]?
        let authenticatorData: [UInt8]?
        let signature: [UInt8]?
        let userHandle: [UInt8]?

        init(_ form: inout Form) {
            credential = form.base64("id", required: true)
            clientData = form.base64("clientDataJSON", required: true)
            authenticatorData = form.base64("authenticatorData", required: true)
            signature = form.base64("signature", required: true)
            userHandle = form.base64("userHandle")
        }
    }

    /// The form of an assertion alone.
    static let assertion = RequestForm(
        "PasskeyAssertion", example: ["id": "…", "clientDataJSON": "…", "authenticatorData": "…", "signature": "…"]
    ) { Assertion(&$0) }

    /// Returns an account's passkeys.
    public func list(of account: AccountID) async throws -> [Passkey] { try await store.passkeys(of: account) }

    /// Creates the options for a purpose, with a new challenge.
    ///
    /// - Parameter account: The account that asks; `nil` for a sign-in.
    public func options(for purpose: Purpose, of account: AccountID?, from client: Client) async throws -> Options {
        let (challenge, now) = (SecretToken(random: random), clock.now)
        let token = OneUseToken(
            .passkey(PasskeyChallenge(purpose: purpose, account: account)),
            of: OneUseToken.Holder(account, at: client), expiresAt: now.adding(seconds: Self.patience))
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
        guard let attestation = request.attestation, let credential = Self.credential(attestation, for: party) else {
            throw Self.refused
        }
        let act = AuditContext(by: signedIn.account, from: client.source, at: clock.now)
        let passkey = Passkey(
            id: identifiers.next(), account: signedIn.account, credential: credential.credential.id,
            key: credential.credential.key, createdAt: act.at, name: request.name ?? "", counter: credential.counter)
        return try await store.changePasskeys(of: signedIn.account, credential: passkey.credential) {
            try PasskeyPlans.registration(of: passkey, in: signedIn.session, $0, by: act)
        }
    }

    /// Returns the credential of an attestation object in the format `none`, which does not certify the authenticator's
    /// model.
    static func credential(
        _ attestation: [UInt8], for party: RelyingParty
    ) -> (credential: AuthenticatorData.Credential, counter: UInt32)? {
        guard let object = CBOR(attestation), object["fmt"]?.text == "none", object["attStmt"] == .map([]),
            let data = object["authData"]?.bytes.flatMap({ AuthenticatorData($0) }), party.accepts(data),
            let credential = data.credential, COSEKey(credential.key) != nil
        else { return nil }
        return (credential, data.counter)
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
            throw Self.refused
        }
    }

    /// Checks that a passkey was used for a purpose, and returns its owner. Throws a `FaultList` with `passkey_refused`
    /// or `sign_in_expired`.
    func use(
        _ assertion: Assertion, for purpose: Purpose, of account: AccountID?, from client: Client
    ) async throws -> (owner: Account, credential: [UInt8]) {
        let clientData = try await check(assertion.clientData, as: .get, for: purpose, of: account)
        guard let credential = assertion.credential, let bytes = assertion.authenticatorData,
            let signature = assertion.signature, let data = AuthenticatorData(bytes), party.accepts(data),
            let passkey = try await store.passkey(credential: credential),
            COSEKey(passkey.key)?.isValid(signature, for: bytes + clientData.digest) == true,
            account == nil || account == passkey.account,
            let owner = try await store.account(passkey.account), !owner.isDisabled,
            try await isHandle(assertion.userHandle, of: owner.id, purpose)
        else { throw Self.refused }
        let act = AuditContext(by: owner.id, from: client.source, at: clock.now)
        let counts = try await store.changePasskeys(of: owner.id, credential: nil) {
            try PasskeyPlans.use(credential, counter: data.counter, in: $0, by: act)
        }
        guard counts else { throw Self.refused }
        return (owner, credential)
    }

    /// Returns whether the user handle is that of the account. It may be missing unless the purpose is to sign in.
    private func isHandle(_ handle: [UInt8]?, of account: AccountID, _ purpose: Purpose) async throws -> Bool {
        guard let handle else { return purpose != .signIn }
        return try await store.userHandle(of: account, orElse: random.bytes(32)) == handle
    }

    /// Checks the client data of a browser and uses up its challenge; after a wrong answer, the browser needs a new
    /// one.
    private func check(
        _ bytes: [UInt8]?, as kind: ClientData.Kind, for purpose: Purpose, of account: AccountID?
    ) async throws -> ClientData {
        guard let bytes, let data = ClientData(bytes, as: kind), party.accepts(origin: data.origin) else {
            throw Self.refused
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

    static let refused = FaultList([Fault(.passkeyRefused)])
}

/// The purpose of a passkey challenge and the account that asked for it.
public struct PasskeyChallenge: Sendable, Equatable {
    /// The purpose.
    public let purpose: Passkeys.Purpose
    /// The account that asked; `nil` for a sign-in.
    public let account: AccountID?

    /// Creates a challenge as it is stored.
    public init(purpose: Passkeys.Purpose, account: AccountID?) {
        self.purpose = purpose
        self.account = account
    }
}

extension Form {
    /// Reads bytes in base64url.
    mutating func base64(_ name: String, required: Bool = false) -> [UInt8]? {
        guard let text = text(name, required: required) else { return nil }
        guard let bytes = Base64.url.decode(text) else {
            refuse(name, .wrongType)
            return nil
        }
        return bytes
    }
}
