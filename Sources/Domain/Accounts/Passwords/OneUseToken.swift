public import Cryptography
public import Shared

/// The meaning of a secret that is valid for a short time and can be used once.
public struct OneUseToken: Sendable, Equatable {
    /// The kind of such a secret.
    public enum Kind: String, Sendable, CaseIterable {
        /// Opens one live connection.
        case liveTicket
        /// Proves that the browser that returns from a provider is the one that began the sign-in.
        case signInAttempt
        /// The same for an account whose owner began to link an identity or to prove their identity.
        case ownAttempt
        /// The challenge that an authenticator signs, so that its answer counts once.
        case passkeyChallenge
        /// The same for an account whose owner creates a passkey or proves their identity.
        case ownChallenge
    }

    /// The meaning of such a secret.
    public enum Meaning: Sendable, Equatable {
        /// The session with that token.
        case session(TokenDigest)
        /// A sign-in with a provider that has begun.
        case attempt(SignInAttempt)
        /// The purpose of a passkey challenge.
        case passkey(PasskeyChallenge)
    }

    /// The maximum number of tokens of a kind that may be issued within the time that one is valid. Guests and accounts
    /// use different kinds, so that guests cannot use up those that accounts need.
    public static let capacity = 50_000

    /// The meaning of the token.
    public let meaning: Meaning
    /// The moment from which it is refused.
    public let expiresAt: Timestamp

    /// Creates the meaning of a token.
    public init(_ meaning: Meaning, expiresAt: Timestamp) {
        self.meaning = meaning
        self.expiresAt = expiresAt
    }

    /// The kind of the token.
    public var kind: Kind {
        switch meaning {
        case .session: .liveTicket
        case .attempt(let attempt): attempt.account == nil ? .signInAttempt : .ownAttempt
        case .passkey(let challenge): challenge.account == nil ? .passkeyChallenge : .ownChallenge
        }
    }
}

/// The store of tokens that can be used once, at any node, whichever node issued them.
public protocol OneUseTokenStore: Sendable {
    /// Stores a token. Returns `false` if ``OneUseToken/capacity`` tokens of its kind were issued too recently.
    func issue(_ token: OneUseToken, digest: TokenDigest, at now: Timestamp) async throws -> Bool

    /// Uses up a token and returns its meaning; `nil` if it has expired, was used or never existed. A token for which
    /// `isWanted` returns `false` is not used up. An unknown token costs no write.
    func redeem(
        _ digest: TokenDigest, at now: Timestamp, if isWanted: @escaping @Sendable (OneUseToken) -> Bool
    ) async throws -> OneUseToken?
}
