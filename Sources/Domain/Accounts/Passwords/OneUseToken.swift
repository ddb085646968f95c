public import Cryptography
public import Shared

/// What a secret stands for that holds for a short time and is used once.
public struct OneUseToken: Sendable, Equatable {
    /// The kinds of such secrets.
    public enum Kind: String, Sendable, CaseIterable {
        /// Opens one live connection.
        case liveTicket
        /// Shows that the browser that comes back is the one that set out to sign in.
        case signInAttempt
        /// The same, of an account that set out to be linked, or to show who its owner is.
        case ownAttempt
        /// The challenge that an authenticator signs, so that its answer counts once.
        case passkeyChallenge
        /// The same, of an account that makes a passkey, or shows who its owner is.
        case ownChallenge
    }

    /// What it stands for.
    public enum Meaning: Sendable, Equatable {
        /// The session with that token.
        case session(TokenDigest)
        /// A sign-in that is under way.
        case attempt(SignInAttempt)
        /// What a passkey is asked for.
        case passkey(PasskeyChallenge)
    }

    /// So many tokens of a kind, and no more, may be issued within the time that each holds. Those of guests and of accounts
    /// are of different kinds, so that guests use up none that accounts need.
    public static let capacity = 50_000

    /// What it stands for.
    public let meaning: Meaning
    /// From then on it is refused.
    public let expiresAt: Timestamp

    /// A token's meaning.
    public init(_ meaning: Meaning, expiresAt: Timestamp) {
        self.meaning = meaning
        self.expiresAt = expiresAt
    }

    /// Its kind.
    public var kind: Kind {
        switch meaning {
        case .session: .liveTicket
        case .attempt(let attempt): attempt.account == nil ? .signInAttempt : .ownAttempt
        case .passkey(let challenge): challenge.account == nil ? .passkeyChallenge : .ownChallenge
        }
    }
}

/// Where tokens are kept that are used once: at any node, whichever issued them.
public protocol OneUseTokenStore: Sendable {
    /// Stores a token; `false` while ``OneUseToken/capacity`` of its kind were issued too lately.
    func issue(_ token: OneUseToken, digest: TokenDigest, at now: Timestamp) async throws -> Bool

    /// Uses a token up: what it stands for, or `nil` for one that is over, was used or never was. One that stands for
    /// something else than is wanted is left alone. A token that was never stored costs no write.
    func redeem(
        _ digest: TokenDigest, at now: Timestamp, if isWanted: @escaping @Sendable (OneUseToken) -> Bool
    ) async throws -> OneUseToken?
}
