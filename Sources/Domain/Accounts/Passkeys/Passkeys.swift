public import Cryptography
public import Forms
import JSON
import Messages
public import Shared

/// Passkeys: signing in with one, which is both factors at once, and what owners do with theirs (WebAuthn Level 2).
public struct Passkeys: Sendable {
    /// What a browser asks an authenticator for.
    public enum Purpose: String, Sendable, CaseIterable {
        /// To sign in, with any account.
        case signIn
        /// To make a passkey for the account that is signed in.
        case register
        /// To show again who the owner of the session is.
        case proof
    }

    /// What a browser tells the authenticator.
    public struct Options: Sendable {
        /// Random, for once.
        public let challenge: SecretToken
        /// The relying party's name.
        public let party: String
        /// Of a passkey to be made: what authenticators know the account by, the account, and its passkeys so far.
        public let registration: Registration?

        /// What the browser needs to make a passkey.
        public struct Registration: Sendable {
            /// What authenticators know the account by.
            public let userHandle: [UInt8]
            /// Whose it will be.
            public let account: Account
            /// The credentials that the account has already.
            public let existing: [[UInt8]]
        }
    }

    /// Seconds for which a challenge holds.
    public static let patience: Int64 = 300
    /// The algorithms that are asked for, by their numbers at COSE.
    public static var algorithms: [Int64] { COSEKey.algorithms.map(\.number) }

    /// This server as authenticators know it.
    public let party: RelyingParty
    let store: any AccountStore
    let sessions: Sessions
    let clock: WallClock
    let random: RandomSource
    let identifiers: UUIDSource
    /// Those of the providers that the configuration names.
    let issuers: Set<String>

    /// What a request for options holds.
    public static let optionsForm = RequestForm("PasskeyOptionsInput", example: ["purpose": "signIn"]) { form in
        form.choice("purpose", of: Purpose.self, required: true)
    }

    /// What a browser hands over of a passkey that was used, in base64url.
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

    /// What a browser hands over, by itself.
    static let assertion = RequestForm(
        "PasskeyAssertion", example: ["id": "…", "clientDataJSON": "…", "authenticatorData": "…", "signature": "…"]
    ) { Assertion(&$0) }

    /// An account's passkeys.
    public func list(of account: AccountID) async throws -> [Passkey] { try await store.passkeys(of: account) }

    /// What a browser tells the authenticator; `nil` while far too many challenges are out.
    ///
    /// - Parameter account: who asks; `nil` to sign in.
    public func options(for purpose: Purpose, of account: AccountID?) async throws -> Options? {
        let (challenge, now) = (SecretToken(random: random), clock.now)
        let token = OneUseToken(
            .passkey(PasskeyChallenge(purpose: purpose, account: account)),
            expiresAt: now.adding(seconds: Self.patience))
        guard try await store.issue(token, digest: challenge.digest, at: now) else { return nil }
        var registration: Options.Registration?
        if purpose == .register, let account, let owner = try await store.account(account) {
            registration = Options.Registration(
                userHandle: try await store.userHandle(of: account, orElse: random.bytes(32)), account: owner,
                existing: try await store.passkeys(of: account).map(\.credential))
        }
        return Options(challenge: challenge, party: party.id, registration: registration)
    }

    /// Keeps a new passkey.
    ///
    /// Throws a `FaultList`: `passkey_refused` for one that is not what was asked for, `sign_in_expired` when it was asked
    /// for too long ago, `passkey_limit` beyond ``Passkey/capacity``.
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

    /// The credential of an attestation object of the form `none`: nobody vouches for the authenticator's model.
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
    /// Throws a `FaultList`: `passkey_refused` or `sign_in_expired`.
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

    /// The account whose passkey was used for a purpose. Throws a `FaultList`: `passkey_refused` or `sign_in_expired`.
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

    /// Whether an authenticator named the account's owner; where it is known who asks, it need not.
    private func isHandle(_ handle: [UInt8]?, of account: AccountID, _ purpose: Purpose) async throws -> Bool {
        guard let handle else { return purpose != .signIn }
        return try await store.userHandle(of: account, orElse: random.bytes(32)) == handle
    }

    /// Uses up the challenge that a browser was given for a purpose; a wrong answer costs a new beginning.
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

    /// Gives a passkey another name; `StoreError.notFound` for one that the account does not have.
    public func rename(
        _ id: String, to name: PasskeyName, of account: AccountID, by act: AuditContext
    ) async throws -> Passkey {
        return try await store.changePasskeys(of: account, credential: nil) {
            try PasskeyPlans.renaming(id, to: name.text, in: $0, by: act)
        }
    }

    /// Ends a passkey; `StoreError.notFound` for one that the account does not have, and a `FaultList` — `last_sign_in` —
    /// if no way in would remain.
    public func remove(_ id: String, of account: AccountID, by act: AuditContext) async throws {
        try await store.changePasskeys(of: account, credential: nil) {
            try PasskeyPlans.removal(of: id, in: $0, through: issuers, by: act)
        }
    }

    static let refused = FaultList([Fault(.passkeyRefused)])
}

/// What a passkey is asked for, and by whom.
public struct PasskeyChallenge: Sendable, Equatable {
    /// What for.
    public let purpose: Passkeys.Purpose
    /// Who asks; `nil` to sign in.
    public let account: AccountID?

    /// A challenge as it is stored.
    public init(purpose: Passkeys.Purpose, account: AccountID?) {
        self.purpose = purpose
        self.account = account
    }
}

extension Form {
    /// Bytes in base64url.
    mutating func base64(_ name: String, required: Bool = false) -> [UInt8]? {
        guard let text = text(name, required: required) else { return nil }
        guard let bytes = Base64.url.decode(text) else {
            refuse(name, .wrongType)
            return nil
        }
        return bytes
    }
}
