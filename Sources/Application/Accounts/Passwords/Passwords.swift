public import Accounts
public import Cryptography
public import Forms
import GradingKit
public import Shared

/// The use cases of passwords: change and reset.
public struct Passwords: Sendable {
    let store: any AccountStore
    let hasher: PasswordHasher
    let rules: PasswordRules
    let throttle: SignInThrottle
    let clock: WallClock
    let random: RandomSource

    /// Changes the password of a session's owner and ends the account's other sessions.
    ///
    /// Throws everything wrong with the body as a `FaultList` — a wrong current password too, whose failures are
    /// counted for this session alone — or `AccountError.throttled` or `.busy`.
    ///
    /// - Parameter device: what the browser shows of an earlier sign-in: all other devices are strangers again.
    public func change(
        _ input: FormInput<PasswordChange>, of signedIn: SignedIn, device: SecretToken? = nil, from client: Client
    ) async throws {
        guard let account = try await store.account(signedIn.account) else { throw StoreError.notFound }
        var form = input.form
        let (current, new) = (input.value.current, input.value.new)
        if let new { form.refuse("new", rules.faults(new, login: account.login)) }
        try form.finish()
        guard let current, let new else { return }
        let payer = PasswordPayer.account(account.id, from: client.source)
        guard try await matches(current, account, signedIn.session, payer) else {
            throw FaultList([Fault(.passwordWrong, at: "/current")])
        }
        let hash = try await hasher.hash(new, for: payer)
        let act = AuditContext(by: account.id, from: client.source, at: clock.now)
        do {
            try await store.setPassword(
                hash, of: account.id, keeping: signedIn.session, device: device?.digest,
                audit: act.entry("password.changed", of: account.id.text))
        } catch StoreError.notFound {
            // A reset or another change came first and ended the session: the current password is no longer what was
            // typed.
            throw FaultList([Fault(.passwordWrong, at: "/current")])
        }
        // Forget failed attempts: with a new password, guesses of the old one and of the code after it are worth
        // nothing.
        await throttle.forget(account.login)
        await throttle.forget(.secondFactor(account.id))
    }

    private func matches(
        _ password: Password, _ account: Account, _ session: SessionID, _ payer: PasswordPayer
    ) async throws -> Bool {
        let hash = try await store.password(of: account.id)
        let attempt = try await throttle.admit(.session(session), from: nil, at: clock.now)
        do {
            let matches = try await hasher.verify(password, against: hash, for: payer)
            if matches { await throttle.succeed(attempt) } else { await throttle.fail(attempt, at: clock.now) }
            return matches
        } catch {
            throttle.abandon(attempt)
            throw error
        }
    }

    /// Issues the token of a link with which an account's owner sets a password: a reset for a forgotten one, an
    /// invitation for a first one. Earlier tokens for the same purpose become void.
    public func issue(
        _ purpose: OneTimeToken.Purpose, for account: AccountID?, by act: AuditContext
    ) async throws -> SecretToken {
        let secret = SecretToken(random: random)
        let token = OneTimeToken(
            purpose: purpose, account: account, maker: act.account, expiresAt: act.at.adding(seconds: purpose.lifetime))
        try await store.issue(
            token, digest: secret.digest, audit: act.entry("link.issued", of: account?.text ?? purpose.rawValue))
        return secret
    }

    /// Sets the password of the token's account, ends its sessions, and returns the account. If the password is
    /// refused, the token stays valid.
    public func redeem(_ input: FormInput<PasswordReset>, from client: Client) async throws -> Account {
        var form = input.form
        let (token, password) = (input.value.token, input.value.password)
        let secret = token.flatMap { SecretToken(text: $0) }
        let account = try await account(of: secret)
        if token != nil, account == nil { form.refuse("token", .tokenRefused) }
        if let password { form.refuse("password", rules.faults(password, login: account?.login)) }
        try form.finish()
        guard let secret, let account, let password else { throw Passwords.refusedToken }
        let hash = try await hasher.hash(password, for: .account(account.id, from: client.source))
        let act = AuditContext(by: account.id, from: client.source, at: clock.now)
        try await refusingUsedToken {
            try await store.redeem(
                secret.digest, at: act.at, password: hash, audit: act.entry("password.set", of: account.id.text))
        }
        // Keep the count of wrong codes: the link proves who reads the mail, but not who has the second factor.
        await throttle.forget(account.login)
        return account
    }

    private func account(of secret: SecretToken?) async throws -> Account? {
        guard let secret, let token = try await store.oneTimeToken(secret.digest), clock.now < token.expiresAt,
            let id = token.account, let account = try await store.account(id), !account.isDisabled
        else { return nil }
        return account
    }

    static let refusedToken = FaultList([Fault(.tokenRefused, at: "/token")])
}

/// Runs a write that uses up a one-time token; one used meanwhile is refused like any other.
func refusingUsedToken<Value>(_ write: () async throws -> Value) async throws -> Value {
    do {
        return try await write()
    } catch StoreError.notFound {
        throw Passwords.refusedToken
    }
}
