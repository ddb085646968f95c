import Cryptography
import Storage
private import Synchronization

/// Sign-ins by way of others that are under way: a browser that comes back must be the one that set out.
///
/// An attempt is used once within ten minutes. Attempts are kept in memory: whoever set out before a restart begins
/// again.
final class SignInAttempts: Sendable {
    /// Seconds an attempt holds.
    static let lifetime: Int64 = 600

    struct Attempt: Sendable {
        /// Who was signed in when it began; `nil` for nobody.
        let account: AccountID?
        let expiresAt: Instant
    }

    private static let capacity = 50_000
    private let clock: WallClock
    private let random: RandomSource
    private let attempts = Mutex<[TokenDigest: Attempt]>([:])

    init(clock: WallClock, random: RandomSource) {
        self.clock = clock
        self.random = random
    }

    /// What the browser is to show when it comes back; `nil` while far too many are under way.
    func begin(by account: AccountID?) -> SecretToken? {
        let now = clock.now
        let token = SecretToken(random: random)
        return attempts.withLock { attempts in
            if attempts.count >= Self.capacity {
                attempts = attempts.filter { now < $0.value.expiresAt }
                if attempts.count >= Self.capacity { return nil }
            }
            attempts[token.digest] = Attempt(account: account, expiresAt: now.adding(seconds: Self.lifetime))
            return token
        }
    }

    /// Uses up an attempt; `nil` for one that has ended or never began.
    func finish(_ token: SecretToken) -> Attempt? {
        let now = clock.now
        guard let attempt = attempts.withLock({ $0.removeValue(forKey: token.digest) }), now < attempt.expiresAt else {
            return nil
        }
        return attempt
    }
}
