public import Accounts
public import Cryptography
public import Forms
import GradingKit
import Shared

/// Completes a sign-in whose first factor was correct: at once if the account has no second factor, otherwise after it
/// was shown.
///
/// Wrong codes count for the account, whatever their source, since their sender knows the password. A device that has
/// signed in before has its own count, so that the owner can sign in while another person guesses.
public struct SecondFactorSignIn: Sendable {
    let store: any AccountStore
    let throttle: SignInThrottle
    let sessions: Sessions
    let codes: SecondFactorCodes
    let clock: WallClock
    let random: RandomSource

    /// The form of a request with the second factor.
    public static let form = RequestForm("SecondFactor", example: ["challenge": "…", "code": "123456"]) { form in
        Answer(&form)
    }

    /// A request with the second factor.
    public struct Answer: Sendable {
        let challenge: SecretToken?
        let code: String?
        /// The token that an earlier sign-in gave the device.
        let device: SecretToken?
        /// The name that the client gives its device.
        public let deviceName: String?
        /// Whether the answer sets a cookie instead of returning the token.
        public let wantsCookie: Bool

        fileprivate init(_ form: inout Form) {
            challenge = form.text("challenge", required: true).flatMap { SecretToken(text: $0) }
            code = form.text("code", required: true)
            device = form.text("device").flatMap { SecretToken(text: $0) }
            deviceName = form.deviceName()
            wantsCookie = form.flag("cookie") ?? false
        }
    }

    /// Signs in an account that needs no second factor, or whose second factor a provider has seen; throws
    /// `SecondFactorRequired` for another one, and what ``Sessions/open(_:by:showing:askedAt:from:device:)`` throws.
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
            asker: SignInChallenge.Asker(device: device, client: client),
            expiresAt: now.adding(seconds: SignInChallenge.lifetime))
        try await store.issue(challenge, digest: secret.digest, at: now)
        throw SecondFactorRequired(challenge: secret, ways: factor.ways)
    }

    /// Signs in with the second factor.
    ///
    /// - Parameter device: The token of the browser from an earlier sign-in.
    /// - Throws: `FaultList` with `code_refused`, or with `sign_in_expired` if the challenge has expired;
    ///   `AccountError.throttled`.
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
        let limited = known == nil && client.isLimited ? client : nil
        try await throttle.settling(subject, from: limited, at: { clock.now }) {
            try await use(TypedCode(answer.code ?? ""), secret.digest, by: account.id, from: client)
        }
        await throttle.forget(.login(account.login.text, from: client.source))
        do {
            return try await sessions.open(
                account, by: challenge.proof, showing: .own, from: client.named(answer.deviceName), device: known)
        } catch StoreError.moved, StoreError.notFound {
            // The password, the identity or the account has changed or was removed: the sign-in must begin again.
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
