import Cryptography
public import Forms
import JSON
import Messages
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
            expiresAt: clock.now.adding(seconds: SecondFactor.Enrolment.patience))
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

/// Checks codes against encrypted seeds.
struct SecondFactorCodes: Sendable {
    let sealer: SecretSealer
    /// The name of this server in authenticator apps.
    let issuer: String

    func seal(_ seed: [UInt8], of account: AccountID, random: RandomSource) throws -> [UInt8] {
        try sealer.seal(seed, for: context(account), random: random)
    }

    /// Returns the time step of a code for an encrypted seed; `nil` if the code is wrong or another key encrypted the
    /// seed.
    func step(
        of code: TypedCode, by seed: [UInt8], of account: AccountID, at now: Timestamp, after last: Int64?
    ) -> Int64? {
        guard case .app(let text) = code, let seed = sealer.open(seed, for: context(account)) else { return nil }
        return OneTimePassword(seed: seed).step(of: text, at: now.microseconds / 1_000_000, after: last)
    }

    /// Plans to check a code and to use it up.
    func use(_ code: TypedCode, of factor: SecondFactor, by act: AuditContext) -> AccountPlan<SecondFactorPlans.Verdict>
    {
        SecondFactorPlans.use(code, of: factor, by: act) { text, app in
            step(of: .app(text), by: app.seed, of: factor.account, at: act.at, after: app.lastStep)
        }
    }

    /// Returns the `otpauth` URL that authenticator apps read.
    func address(of seed: [UInt8], login: String) -> String {
        let parameters = "algorithm=SHA1&digits=\(OneTimePassword.digits)&period=\(OneTimePassword.period)"
        let label = "\(escaped(issuer)):\(escaped(login))"
        return "otpauth://totp/\(label)?secret=\(Base32.encode(seed))&issuer=\(escaped(issuer))&\(parameters)"
    }

    private func context(_ account: AccountID) -> String { "totp \(account.text)" }

    private func escaped(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : "%" + [$0].hexadecimal.uppercased() }
            .joined()
    }
}

/// The errors of refused codes.
enum CodeRefusal {
    static let refused = FaultList([Fault(.codeRefused, at: "/code")])
    static let expired = FaultList([Fault(.signInExpired)])

    /// Runs a write about something that waits, and reports a missing one as expired.
    static func expiring<Value>(_ write: () async throws -> Value) async throws -> Value {
        do {
            return try await write()
        } catch StoreError.notFound {
            throw expired
        }
    }
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
