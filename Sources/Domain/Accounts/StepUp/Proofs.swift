public import Forms
public import JSON
import Messages
public import Shared

/// Step-up: the owner of a session shows again who he or she is, before something that a thief of the session could do
/// much harm with.
public struct Proofs: Sendable {
    /// Seconds for which a proof holds; signing in counts as one.
    public static let lifetime: Int64 = 900

    /// A way to show who one is.
    public enum Way: String, Sendable, CaseIterable {
        /// The password.
        case password
        /// A code of the second factor.
        case totp
        /// A passkey.
        case passkey
    }

    let store: any AccountStore
    let hasher: PasswordHasher
    let throttle: SignInThrottle
    let codes: SecondFactorCodes
    let passkeys: Passkeys?
    let clock: WallClock

    /// What a request holds that shows who one is: one of the ways.
    public static let form = RequestForm("Proof", example: ["password": "correct horse battery"]) { form in
        let (password, code) = (form.text("password"), form.text("totp"))
        let passkey = form.object("passkey", as: Passkeys.assertion.schema).map { JSON.object($0) }
        let isShown = [("password", password != nil), ("totp", code != nil), ("passkey", passkey != nil)]
        if !isShown.contains(where: \.1) { form.refuse("password", .missingField) }
        for (name, _) in isShown.filter(\.1).dropFirst() { form.refuse(name, .unknownField) }
        return (password: password.map { Password($0) }, code: code, passkey: passkey)
    }

    /// Until when the last proof of a session holds; `nil` when it holds no more.
    public func end(of signedIn: SignedIn) async throws -> Timestamp? {
        guard let proof = try await store.lastProof(of: signedIn.session) else { return nil }
        let end = proof.adding(seconds: Self.lifetime)
        return clock.now < end ? end : nil
    }

    /// Throws ``StepUpRequired`` unless the session's last proof holds.
    public func require(of signedIn: SignedIn) async throws {
        guard try await end(of: signedIn) == nil else { return }
        throw StepUpRequired(ways: try await ways(of: signedIn.account))
    }

    /// How an account's owner can show who he or she is; where there is no way, by signing in again.
    public func ways(of account: AccountID) async throws -> [Way] {
        let hasPassword = try await store.password(of: account) != nil
        let hasCodes = try await store.secondFactor(of: account).isRequired
        let hasPasskeys = try await passkeys?.list(of: account).isEmpty == false
        // A password alone must not take a second factor away.
        return (hasPasskeys ? [.passkey] : []) + (hasCodes ? [.totp] : hasPassword ? [.password] : [])
    }

    /// Takes what ``form`` reads; from now on the session is proven.
    ///
    /// Throws a `FaultList` — `password_wrong` or `code_refused`, which count for this session alone,
    /// `passkey_refused`, or `missing_field` for a password where a code is needed — or `AccountError.throttled` or `.busy`.
    public func prove(_ body: JSON, of signedIn: SignedIn, from client: Client) async throws {
        let (password, code, passkey) = try Self.form.read(body)
        let act = AuditContext(by: signedIn.account, from: client.source, at: clock.now)
        var factors = ShownFactors.own
        if let passkey {
            guard let passkeys else { throw Passkeys.refused }
            _ = try await passkeys.use(
                try Passkeys.assertion.read(passkey), for: .proof, of: signedIn.account, from: client)
        } else if let password {
            guard try await !store.secondFactor(of: signedIn.account).isRequired else { throw Self.missingCode }
            try await throttle.settling(.session(signedIn.session), at: { clock.now }, refused: Self.wrongPassword) {
                try await hasher.verify(password, against: try await store.password(of: signedIn.account))
                    ? .right : .wrong
            }
            factors = .one
        } else {
            let typed = TypedCode(code ?? "")
            try await throttle.settling(.session(signedIn.session), at: { clock.now }, refused: Self.wrongCode) {
                try await store.changeSecondFactor(of: signedIn.account) { [codes] found, _ in
                    codes.use(typed, of: found, by: act)
                }
            }
        }
        try await store.prove(
            signedIn.session, of: signedIn.account, at: act.at, showing: factors,
            audit: act.entry("session.proven", of: signedIn.session.text))
    }

    private static let missingCode = FaultList([Fault(.missingField, at: "/totp")])
    private static let wrongPassword = FaultList([Fault(.passwordWrong, at: "/password")])
    private static let wrongCode = FaultList([Fault(.codeRefused, at: "/totp")])
}

/// The owner of the session has to show again who he or she is.
public struct StepUpRequired: Error, Equatable, Sendable {
    /// How; where there is no way, by signing in again.
    public let ways: [Proofs.Way]

    /// What is asked for.
    public init(ways: [Proofs.Way]) { self.ways = ways }
}

/// What step-up needs of a store.
public protocol ProofStore: Sendable {
    /// When the owner of a session last showed who he or she is, signing in included; `nil` without such a session.
    func lastProof(of session: SessionID) async throws -> Timestamp?

    /// Notes that the owner of a session has shown who he or she is, and with it so many factors; `StoreError.notFound`
    /// without such a session.
    func prove(
        _ session: SessionID, of id: AccountID, at: Timestamp, showing factors: ShownFactors, audit: AuditEntry
    ) async throws
}
