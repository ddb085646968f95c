public import Cryptography
public import Forms
public import JSON
public import Messages
import Shared

/// Signs in those who have shown who they are, once they have shown their second factor as well if they have one.
///
/// A wrong code counts for the account, from whatever source: it takes the password to come so far. A device that has
/// signed in before has a count of its own, so that an owner gets in while another person guesses.
public struct SecondFactorSignIn: Sendable {
    let store: any AccountStore
    let throttle: SignInThrottle
    let sessions: Sessions
    let codes: SecondFactorCodes
    let clock: WallClock
    let random: RandomSource

    /// What a request holds that shows the second factor.
    public static let form = RequestForm("SecondFactor", example: ["challenge": "…", "code": "123456"]) { form in
        Answer(&form)
    }

    /// The second factor as it is shown.
    public struct Answer: Sendable {
        let challenge: SecretToken?
        let code: String?
        /// What an earlier sign-in gave this device.
        let device: SecretToken?
        /// What the client calls the device.
        public let deviceName: String?
        /// Whether the answer sets a cookie instead of giving the token.
        public let wantsCookie: Bool

        /// Reads `{challenge,code,device?,deviceName?,cookie?}`; throws everything wrong at once.
        public init(_ body: JSON) throws(FaultList) { self = try SecondFactorSignIn.form.read(body) }

        fileprivate init(_ form: inout Form) {
            challenge = form.text("challenge", required: true).flatMap { SecretToken(text: $0) }
            code = form.text("code", required: true)
            device = form.text("device").flatMap { SecretToken(text: $0) }
            deviceName = form.deviceName()
            wantsCookie = form.flag("cookie") ?? false
        }
    }

    /// Signs in an account that needs no second factor, or whose second factor a provider has seen; throws
    /// `SecondFactorRequired` for another one, `AccountError.busy` where too many of its sign-ins wait, and what
    /// ``Sessions/open(_:by:showing:askedAt:from:device:)`` throws.
    ///
    /// - Parameter device: a device that the account knows.
    func admit(
        _ account: Account, by proof: SignInProof, showing factors: ShownFactors = .one, askedAt: Timestamp? = nil,
        from client: Client, device: SecretToken? = nil
    ) async throws -> NewSession {
        let factor = try await store.secondFactor(of: account.id)
        guard factor.isRequired, factors == .one else {
            return try await sessions.open(
                account, by: proof, showing: factors, askedAt: askedAt, from: client, device: device)
        }
        let (secret, now) = (SecretToken(random: random), clock.now)
        let challenge = SignInChallenge(
            account: account.id, proof: proof,
            asker: SignInChallenge.Asker(device: device, source: client.source),
            expiresAt: now.adding(seconds: SignInChallenge.patience))
        do {
            try await store.issue(challenge, digest: secret.digest, at: now)
        } catch StoreError.full {
            throw AccountError.busy(retryAfter: Int(SignInChallenge.patience))
        }
        throw SecondFactorRequired(challenge: secret, ways: factor.ways)
    }

    /// Signs in with the second factor.
    ///
    /// Throws a `FaultList` — `code_refused`, or `sign_in_expired` for a challenge that is over — or
    /// `AccountError.throttled`.
    ///
    /// - Parameter device: what the browser shows of an earlier sign-in.
    public func callAsFunction(
        _ answer: Answer, device: SecretToken?, from client: Client
    ) async throws -> NewSession {
        let device = answer.device ?? device
        guard let secret = answer.challenge, let challenge = try await store.signInChallenge(secret.digest),
            let account = try await store.account(challenge.account), !account.isDisabled
        else { throw CodeRefusal.expired }
        let knowsDevice = try await knows(device, account)
        let known = knowsDevice ? device : nil
        let subject = known.map { .device($0.digest) } ?? SignInThrottle.Subject.secondFactor(account.id)
        let source = known == nil && client.isLimited ? client.source : nil
        try await throttle.settling(subject, from: source, at: { clock.now }) {
            try await use(TypedCode(answer.code ?? ""), secret.digest, by: account.id, from: client)
        }
        await throttle.forget(.login(account.login.text, from: client.source))
        do {
            return try await sessions.open(
                account, by: challenge.proof, showing: .own, from: client.named(answer.deviceName), device: known)
        } catch StoreError.moved, StoreError.notFound {
            // The password, the identity or the account is another one, or gone: the sign-in has to begin again.
            throw CodeRefusal.expired
        }
    }

    private func use(
        _ code: TypedCode, _ digest: TokenDigest, by account: AccountID, from client: Client
    ) async throws -> SecondFactorPlans.Verdict {
        let act = AuditContext(by: account, from: client.source, at: clock.now)
        return try await CodeRefusal.expiring {
            try await store.answer(digest) { [codes] challenge, factor in
                try SecondFactorPlans.answer(
                    to: challenge, digest: digest, at: act.at, by: act, use: codes.use(code, of: factor, by: act))
            }
        }
    }

    private func knows(_ device: SecretToken?, _ account: Account) async throws -> Bool {
        guard let device else { return false }
        return try await store.credentials(of: account.login, device: device.digest)?.knowsDevice ?? false
    }
}
