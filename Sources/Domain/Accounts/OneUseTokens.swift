import Cryptography
import Shared
private import Synchronization

/// Tokens that stand for something for a short time and are used once. They are kept in memory: after a restart whoever
/// holds one begins again.
final class OneUseTokens<Meaning: Sendable>: Sendable {
    /// So many tokens, and no more, may be out.
    private let capacity = 50_000
    private let lifetime: Int64
    private let clock: WallClock
    private let random: RandomSource
    private let tokens = Mutex<[TokenDigest: (meaning: Meaning, expiresAt: Timestamp)]>([:])

    /// No tokens yet.
    ///
    /// - Parameter lifetime: how many seconds each holds.
    init(lifetime: Int64, clock: WallClock, random: RandomSource) {
        self.lifetime = lifetime
        self.clock = clock
        self.random = random
    }

    /// A token; `nil` while far too many are out.
    func issue(for meaning: Meaning) -> SecretToken? {
        let now = clock.now
        let token = SecretToken(random: random)
        return tokens.withLock { tokens in
            if tokens.count >= capacity {
                tokens = tokens.filter { now < $0.value.expiresAt }
                if tokens.count >= capacity { return nil }
            }
            tokens[token.digest] = (meaning, now.adding(seconds: lifetime))
            return token
        }
    }

    /// Uses a token up: what it stands for, or `nil` for one that is over or never was. One that stands for something
    /// else than is wanted is left alone.
    func redeem(_ token: SecretToken, if isWanted: (Meaning) -> Bool = { _ in true }) -> Meaning? {
        let now = clock.now
        return tokens.withLock { tokens in
            guard let found = tokens[token.digest], isWanted(found.meaning) else { return nil }
            tokens[token.digest] = nil
            return now < found.expiresAt ? found.meaning : nil
        }
    }
}
