import Cryptography
public import Forms
public import JSON
public import Messages
public import Shared

/// What owners do with their second factor, and the command line for those who lost it.
public struct SecondFactors: Sendable {
    let store: any AccountStore
    let throttle: SignInThrottle
    let codes: SecondFactorCodes
    let clock: WallClock
    let random: RandomSource

    /// What a new authenticator app is told.
    public struct Setup: Sendable {
        /// The seed, to be typed where no camera is at hand.
        public let seed: String
        /// The address that the app reads from a QR code.
        public let address: String
    }

    /// The first code that a new app shows.
    public struct Confirmation: Sendable {
        let code: TypedCode

        /// What a request holds that shows a new app's first code.
        public static let form = RequestForm("TOTPConfirmation", example: ["code": "123456"]) { form in
            form.text("code", required: true)
        }

        /// Reads `{code}`; throws everything wrong at once.
        public init(_ body: JSON) throws(FaultList) { code = TypedCode(try Self.form.read(body) ?? "") }
    }

    /// An account's second factor.
    public func state(of account: AccountID) async throws -> SecondFactor { try await store.secondFactor(of: account) }

    /// Begins to set up an authenticator app: its seed, which is told once.
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

    /// Takes the first code that the new app shows: it counts from now on. Answers the recovery codes, which are told
    /// once.
    ///
    /// Throws a `FaultList` — `code_refused`, or `sign_in_expired` when no app is being set up any more — or
    /// `AccountError.throttled`.
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

    /// New recovery codes in place of those before; `StoreError.notFound` without a second factor.
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

    /// Ends an account's second factor; `StoreError.notFound` when there is none.
    public func remove(of account: AccountID, by act: AuditContext) async throws {
        try await store.changeSecondFactor(of: account) { found, _ in
            try SecondFactorPlans.removal(of: found, audit: act.entry("second-factor.removed", of: account.text))
        }
    }

    /// Ends everything that counts as an account's second factor, passkeys and what providers vouched for included, and all
    /// its sessions and API tokens, for an owner who has lost it; `StoreError.notFound` when there is nothing.
    public func forget(of account: AccountID, by act: AuditContext) async throws {
        try await store.endLostFactors(of: account, audit: act.entry("second-factor.removed", of: account.text))
    }

    private func newCodes() -> [RecoveryCode] { (0..<RecoveryCode.count).map { _ in RecoveryCode(random: random) } }
}

/// Reads codes, whose seeds are sealed.
struct SecondFactorCodes: Sendable {
    let sealer: SecretSealer
    /// What apps call this server.
    let issuer: String

    func seal(_ seed: [UInt8], of account: AccountID, random: RandomSource) throws -> [UInt8] {
        try sealer.seal(seed, for: context(account), random: random)
    }

    /// The step of a code by a sealed seed; `nil` for a wrong one, and for a seed that another key has sealed.
    func step(
        of code: TypedCode, by seed: [UInt8], of account: AccountID, at now: Timestamp, after last: Int64?
    ) -> Int64? {
        guard case .app(let text) = code, let seed = sealer.open(seed, for: context(account)) else { return nil }
        return OneTimePassword(seed: seed).step(of: text, at: now.microseconds / 1_000_000, after: last)
    }

    /// What a code is worth, which uses it up.
    func use(_ code: TypedCode, of factor: SecondFactor, by act: AuditContext) -> AccountPlan<SecondFactorPlans.Verdict>
    {
        SecondFactorPlans.use(code, of: factor, by: act) { text, app in
            step(of: .app(text), by: app.seed, of: factor.account, at: act.at, after: app.lastStep)
        }
    }

    /// The address in the form that apps have agreed upon.
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

/// How refused codes are told.
enum CodeRefusal {
    static let refused = FaultList([Fault(.codeRefused, at: "/code")])
    static let expired = FaultList([Fault(.signInExpired)])

    /// Runs a write about something that waits; what waits no longer has expired.
    static func expiring<Value>(_ write: () async throws -> Value) async throws -> Value {
        do {
            return try await write()
        } catch StoreError.notFound {
            throw expired
        }
    }
}

extension SignInThrottle {
    /// Has what was typed looked at, unless too much of it was wrong; throws ``CodeRefusal/refused`` for what is wrong, which
    /// counts.
    func settling(
        _ subject: Subject, from source: String? = nil, at now: () -> Timestamp,
        _ look: () async throws -> SecondFactorPlans.Verdict
    ) async throws {
        let attempt = try await admit(subject, from: source, at: now())
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
