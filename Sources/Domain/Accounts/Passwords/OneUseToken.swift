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

    /// The holder for which a token counts, as digests. Where too many tokens are out, the one with the most gives one
    /// up.
    public struct Holder: Sendable, Equatable {
        /// The SHA-256 of the account, session or IPv6 site, or of the address.
        public let network: [UInt8]
        /// The SHA-256 of the same account or session, or of the address.
        public let source: [UInt8]

        /// Creates a holder as it is stored.
        public init(network: [UInt8], source: [UInt8]) {
            self.network = network
            self.source = source
        }

        private init(_ name: String, within network: String) {
            self.init(network: SHA256.hash(network.utf8), source: SHA256.hash(name.utf8))
        }

        /// Creates the holder of a request: the account, or the network of a guest.
        package init(_ account: AccountID?, at client: Client) {
            if let account {
                self.init("account \(account)", within: "account \(account)")
            } else {
                self.init(client.source, within: client.network)
            }
        }

        /// Creates the holder of a session's tickets.
        package init(_ session: TokenDigest) { self.init(network: session.bytes, source: session.bytes) }
    }

    /// The maximum number of tokens of a kind that are stored. Guests and accounts use different kinds, so that guests
    /// cannot use up those that accounts need.
    public static let capacity = 50_000

    /// The meaning of the token.
    public let meaning: Meaning
    /// The holder for which it counts.
    public let holder: Holder
    /// The moment from which it is refused.
    public let expiresAt: Timestamp

    /// Creates the meaning of a token.
    public init(_ meaning: Meaning, of holder: Holder, expiresAt: Timestamp) {
        self.meaning = meaning
        self.holder = holder
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
