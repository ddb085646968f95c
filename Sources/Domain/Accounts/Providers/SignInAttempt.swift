public import Cryptography
public import Shared

/// A sign-in with a provider that is under way. It holds for ten minutes, once, and for the browser that began it.
public struct SignInAttempt: Sendable, Equatable {
    /// What for.
    public enum Purpose: String, Sendable, CaseIterable {
        /// To open a session.
        case signIn
        /// To link the person to the account that began it.
        case link
        /// To show again who the owner of a session is: the provider has to ask, even a person whom it remembers.
        case stepUp
    }

    /// With which provider.
    public let provider: ProviderID
    /// What for.
    public let purpose: Purpose
    /// Who was signed in when it began, if anyone.
    public let account: AccountID?
    /// Tells it from the other attempts of the same browser: `state`, 128 random bits.
    public let name: String
    /// The secret of this exchange (PKCE, RFC 7636), 256 random bits in Base64url.
    public let verifier: String
    /// What a signed token has to repeat, 128 random bits.
    public let nonce: String
    /// The page of this site to show afterwards.
    public let returnTo: String?
    /// The digest of the token of an invitation that the person comes with.
    public let invitation: TokenDigest?
    /// When it began. What the provider says must be newer.
    public let begunAt: Timestamp

    /// An attempt.
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

    /// Whether a text is the address of a page of this site: a path that no browser reads as another host. What stands
    /// after a `#` may be a one-time token, and is not kept.
    static func isOwnPage(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count <= 1_024 && bytes.first == UInt8(ascii: "/") && !text.hasPrefix("//")
            && !text.contains("/.")
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }
    }
}
