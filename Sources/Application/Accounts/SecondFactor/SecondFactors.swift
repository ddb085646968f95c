public import Accounts
import Cryptography
public import Forms
import GradingKit
public import Shared

/// The use cases of one's own second factor, and of the command line for an owner who has lost it.
public struct SecondFactors: Sendable {
    let store: any AccountStore
    let throttle: SignInThrottle
    let codes: SecondFactorCodes
    let clock: WallClock
    let random: RandomSource

    /// The data for the setup of a new authenticator app.
    public struct Setup: Sendable {
        /// The seed in Base32, to type where there is no camera.
        public let seed: String
        /// The URL that the app reads from a QR code.
        public let address: String
    }

    /// A request with the first code of a new app.
    public struct Confirmation: Sendable {
        let code: TypedCode

        /// The form of a request with the first code of a new app.
        public static let form = RequestForm("TOTPConfirmation", example: ["code": "123456"]) { form in
            Confirmation(code: TypedCode(form.text("code", required: true) ?? ""))
        }
    }

    /// Returns an account's second factor.
    public func state(of account: AccountID) async throws -> SecondFactor { try await store.secondFactor(of: account) }

    /// Begins the setup of an authenticator app; returns its seed, which is shown only once.
    public func begin(for account: AccountID) async throws -> Setup {
        guard let owner = try await store.account(account) else { throw StoreError.notFound }
        let seed = random.bytes(OneTimePassword.seedSize)
        let enrolment = SecondFactor.Enrolment(
            seed: try codes.seal(seed, of: account, random: random),
            expiresAt: clock.now.adding(seconds: SecondFactor.Enrolment.lifetime))
        try await store.changeSecondFactor(of: account) { found, _ in
            SecondFactorPlans.beginning(enrolment, of: found)
        }
        return Setup(seed: Base32.encode(seed), address: codes.address(of: seed, login: owner.login.text))
    }

    /// Finishes the setup of an app with its first code. Returns the recovery codes, which are shown only once.
    ///
    /// - Throws: `FaultList` with `code_refused`, or with `sign_in_expired` if no setup is in progress;
    ///   `AccountError.throttled`.
    public func confirm(
        _ confirmation: Confirmation, of signedIn: SignedIn, from client: Client
    ) async throws -> [String] {
        let fresh = newCodes()
        let act = AuditContext(by: signedIn.account, from: client.source, at: clock.now)
        let audit = act.entry("second-factor.set", of: signedIn.account.text)
        try await throttle.settling(.session(signedIn.session), at: { clock.now }) {
            try await CodeRefusal.expiring {
                try await store.changeSecondFactor(of: signedIn.account) { [codes] found, sessions in
                    try SecondFactorPlans.confirmation(
                        of: found, at: act.at, recoveryCodes: fresh.map(\.digest), among: sessions,
                        keeping: signedIn.session, audit: audit
                    ) { codes.step(of: confirmation.code, by: $0, of: found.account, at: act.at, after: nil) }
                }
            }
        }
        return fresh.map(\.text)
    }

    /// Replaces the recovery codes and returns the new ones; throws `StoreError.notFound` if there is no second factor.
    public func renewRecoveryCodes(of account: AccountID, from client: Client) async throws -> [String] {
        let fresh = newCodes()
        let act = AuditContext(by: account, from: client.source, at: clock.now)
        try await store.changeSecondFactor(of: account) { found, _ in
            try SecondFactorPlans.renewal(
                of: found, recoveryCodes: fresh.map(\.digest),
                audit: act.entry("recovery-codes.renewed", of: account.text))
        }
        return fresh.map(\.text)
    }

    /// Removes an account's second factor; throws `StoreError.notFound` if there is none.
    public func remove(of account: AccountID, by act: AuditContext) async throws {
        try await store.changeSecondFactor(of: account) { found, _ in
            try SecondFactorPlans.removal(of: found, audit: act.entry("second-factor.removed", of: account.text))
        }
    }

    /// Removes everything that counts as an account's second factor, including passkeys and what providers vouched for,
    /// with all its sessions and API tokens, for an owner who has lost it; throws `StoreError.notFound` if there is
    /// nothing to remove.
    public func forget(of account: AccountID, by act: AuditContext) async throws {
        try await store.endLostFactors(of: account, audit: act.entry("second-factor.removed", of: account.text))
    }

    private func newCodes() -> [RecoveryCode] { (0..<RecoveryCode.count).map { _ in RecoveryCode(random: random) } }
}

extension SignInThrottle {
    /// Runs a check of a code, unless there were too many failures. Throws ``CodeRefusal/refused`` for a wrong code,
    /// which counts as a failure.
    func settling(
        _ subject: Subject, from client: Client? = nil, at now: () -> Timestamp,
        _ look: () async throws -> SecondFactorPlans.Verdict
    ) async throws {
        let attempt = try await admit(subject, from: client, at: now())
        let verdict: SecondFactorPlans.Verdict
        do {
            verdict = try await look()
        } catch {
            abandon(attempt)
            throw error
        }
        guard verdict == .right else {
            await fail(attempt, at: now())
            throw CodeRefusal.refused
        }
        await succeed(attempt)
    }
}
