public import Cryptography
public import Shared

/// A sign-in with a provider that has begun. It is valid once, for ten minutes, in the browser that began it.
public struct SignInAttempt: Sendable, Equatable {
    /// The purpose of an attempt.
    public enum Purpose: String, Sendable, CaseIterable {
        /// To open a session.
        case signIn
        /// To link an identity with the account that began it.
        case link
        /// To prove the identity of a session's owner again: the provider must authenticate even a person whom it
        /// remembers.
        case stepUp
    }

    /// The provider.
    public let provider: ProviderID
    /// The purpose.
    public let purpose: Purpose
    /// The account that was signed in when it began; `nil` for a guest.
    public let account: AccountID?
    /// The `state` parameter, which distinguishes it from other attempts of the browser: 128 random bits.
    public let name: String
    /// The PKCE code verifier (RFC 7636), 256 random bits in Base64url.
    public let verifier: String
    /// The nonce that a signed token must repeat, 128 random bits.
    public let nonce: String
    /// The page of this site to show afterwards.
    public let returnTo: String?
    /// The digest of the token of the invitation that the person has opened.
    public let invitation: TokenDigest?
    /// When it began. The provider's assertion must be newer.
    public let begunAt: Timestamp

    /// Creates an attempt.
    public init(
        provider: ProviderID, purpose: Purpose = .signIn, account: AccountID?, name: String, verifier: String = "",
        nonce: String = "", returnTo: String? = nil, invitation: TokenDigest? = nil, begunAt: Timestamp
    ) {
        self.provider = provider
        self.purpose = purpose
        self.account = account
        self.name = name
        self.verifier = verifier
        self.nonce = nonce
        self.returnTo = returnTo
        self.invitation = invitation
        self.begunAt = begunAt
    }

    /// Returns whether a text is the path of a page of this site, which no browser takes for another host. Fragments
    /// are refused, since they may contain a one-time token that must not be stored.
    package static func isOwnPage(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count <= 1_024 && bytes.first == UInt8(ascii: "/") && !text.hasPrefix("//")
            && !text.contains("/.")
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }
    }
}
