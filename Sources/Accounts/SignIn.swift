public import Cryptography
import Forms
public import GradingKit
import Storage

/// What somebody claims in order to sign in.
public struct Credentials: Sendable {
    /// The login as typed.
    public let login: String
    /// The password as typed.
    public let password: Password
    /// What an earlier sign-in gave this device; `nil` for none.
    public let device: SecretToken?
    /// Whether the answer sets a cookie instead of giving the token.
    public let wantsCookie: Bool

    /// Credentials.
    public init(login: String, password: Password, device: SecretToken? = nil, wantsCookie: Bool = false) {
        self.login = login
        self.password = password
        self.device = device
        self.wantsCookie = wantsCookie
    }

    /// Reads `{login,password,cookie?,device?}`; throws everything wrong with its form. A device token that never
    /// was one counts as none.
    public init(_ body: JSON) throws(FaultList) {
        var form = Form(body)
        let login = form.text("login", required: true)
        let password = form.text("password", required: true)
        let wantsCookie = form.flag("cookie") ?? false
        let device = form.text("device").flatMap { SecretToken(text: $0) }
        try form.finish()
        self.init(login: login ?? "", password: Password(password ?? ""), device: device, wantsCookie: wantsCookie)
    }

    /// The same credentials from a device that says who it is in another way, as a cookie does.
    public func from(device: SecretToken?) -> Credentials {
        Credentials(login: login, password: password, device: self.device ?? device, wantsCookie: wantsCookie)
    }
}

/// What a sign-in gives: the only moment at which the two secrets are there.
public struct Admission: Sendable {
    /// Who signed in.
    public let account: Account
    /// The new session.
    public let session: Session
    /// What the client shows with each request.
    public let token: SecretToken
    /// What the client shows at its next sign-in, so that other people's failures do not keep it out.
    public let device: SecretToken
}

/// Signs in with login and password.
///
/// An unknown login, a wrong password and a disabled account are answered alike: the same error after the same
/// work.
public struct SignIn: Sendable {
    let store: any AccountStore
    let hasher: PasswordHasher
    let throttle: SignInThrottle
    let sessions: Sessions
    let clock: WallClock

    /// Signs in; throws `AccountError.refused`, `.throttled` or `.busy`.
    public func callAsFunction(_ credentials: Credentials, from client: Client) async throws -> Admission {
        let login = try? Login(credentials.login)
        let stored = try await store.credentials(of: login ?? Login(stored: ""), device: credentials.device?.digest)
        let subject = subject(login, credentials, stored)
        let attempt = try throttle.admit(subject, from: client.isLimited ? client.source : nil, at: clock.now)
        let matches: Bool
        do {
            matches = try await hasher.verify(credentials.password, against: stored?.password)
        } catch {
            throttle.abandon(attempt)
            throw error
        }
        guard let stored, matches, !stored.account.isDisabled else {
            throttle.fail(attempt, at: clock.now)
            throw AccountError.refused
        }
        throttle.succeed(attempt)
        await renew(stored, credentials.password)
        return try await sessions.open(
            stored.account, from: client, device: stored.knowsDevice ? credentials.device : nil)
    }

    private func subject(
        _ login: Login?, _ credentials: Credentials, _ stored: StoredCredentials?
    ) -> SignInThrottle.Subject {
        if let device = credentials.device, stored?.knowsDevice == true { return .device(device.digest) }
        // A login that nobody can have is one subject, so that inventing some costs no memory.
        return .login(login?.text ?? "")
    }

    /// Makes an outdated hash anew while the password is at hand. It can wait: the old one holds as well, and the
    /// next sign-in tries again.
    private func renew(_ stored: StoredCredentials, _ password: Password) async {
        guard let old = stored.password, hasher.isOutdated(old) else { return }
        guard let hash = try? await hasher.hash(password) else { return }
        try? await store.rehash(hash, of: stored.account.id, replacing: old)
    }
}
