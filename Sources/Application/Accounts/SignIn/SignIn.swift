public import Accounts
import Cryptography
import Shared

/// Signs in with login and password.
///
/// An unknown login, a wrong password and a disabled account cannot be told apart: they give the same error after the
/// same work.
public struct SignIn: Sendable {
    let store: any AccountStore
    let hasher: PasswordHasher
    let throttle: SignInThrottle
    let secondFactor: SecondFactorSignIn
    let clock: WallClock

    /// How often to check a password that changes during the check: a new hash of the same password must not fail a
    /// sign-in.
    private static let attempts = 3

    /// Signs in; throws `AccountError.refused`, `.throttled` or `.busy`, or `SecondFactorRequired` if the password is
    /// correct but not sufficient.
    public func callAsFunction(_ credentials: Credentials, from client: Client) async throws -> NewSession {
        for _ in 0..<Self.attempts {
            do {
                return try await open(credentials, from: client)
            } catch StoreError.moved {
                continue
            } catch StoreError.notFound {
                // The account was disabled or deleted in the meantime.
                throw AccountError.refused
            }
        }
        throw AccountError.busy(retryAfter: 1)
    }

    private func open(_ credentials: Credentials, from client: Client) async throws -> NewSession {
        let login = Login(searching: credentials.login)
        let stored = try await store.credentials(of: login ?? Login(stored: ""), device: credentials.device?.digest)
        let attempt = try await throttle.admit(credentials, for: login, stored, from: client, at: clock.now)
        let payer = PasswordPayer.login(login, from: client.source)
        let matches: Bool
        do {
            matches = try await hasher.verify(
                credentials.password, against: stored?.password, for: payer)
        } catch {
            throttle.abandon(attempt)
            throw error
        }
        guard let stored, let password = stored.password, matches, !stored.account.isDisabled else {
            await throttle.fail(attempt, at: clock.now)
            throw AccountError.refused
        }
        do {
            let hash = await renewed(password, of: stored.account.id, credentials.password, payer)
            let session = try await secondFactor.admit(
                stored.account, by: .password(hash), from: client.named(credentials.deviceName),
                device: stored.knowsDevice ? credentials.device : nil)
            await throttle.succeed(attempt)
            return session
        } catch {
            // Until the second factor is shown, the earlier failures continue to count.
            throttle.abandon(attempt)
            throw error
        }
    }

    /// Replaces an outdated hash while the password is at hand, and returns the hash that is then stored. If the
    /// replacement fails, the old hash stays valid and the next sign-in tries again.
    private func renewed(
        _ old: PasswordHash, of account: AccountID, _ password: Password, _ payer: PasswordPayer
    ) async -> PasswordHash {
        guard hasher.isOutdated(old), let hash = try? await hasher.hash(password, for: payer),
            (try? await store.rehash(hash, of: account, replacing: old)) != nil
        else { return old }
        return hash
    }
}

extension SignInThrottle {
    fileprivate func admit(
        _ credentials: Credentials, for login: Login?, _ stored: StoredCredentials?, from client: Client,
        at now: Timestamp
    ) async throws -> Attempt {
        if let device = credentials.device, stored?.knowsDevice == true {
            return try await admit(.device(device.digest), from: nil, at: now)
        }
        // All logins that no account can have share one subject, so that inventing them costs no memory.
        let subject = Subject.login(login?.text ?? "", from: client.source)
        return try await admit(subject, from: client.isLimited ? client : nil, at: now)
    }
}
