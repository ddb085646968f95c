public import Cryptography
public import Messages
public import Shared

/// What an issuer said of a person, once.
public struct Assertion: Sendable, Equatable {
    /// Who said it.
    public let issuer: String
    /// Of whom: names the person for ever, among the issuer's.
    public let subject: String
    /// Tells it from all others.
    public let digest: TokenDigest
    /// From then on it is refused, used or not.
    public let expiresAt: Timestamp
    /// When the issuer last asked the person who it is, as far as it says so.
    public let askedAt: Timestamp?
    /// What the issuer vouches for, if the operator trusts it that far: one factor, or two.
    public let factors: ShownFactors
    /// What the person is called, of up to 100 code points; for a new account alone.
    public let displayName: String?
    /// What a new account's login may begin with; `nil` for the subject.
    public let loginHint: String?
    /// The person's language; for a new account alone.
    public let locale: Language?
    /// What the issuer calls its own session with the person.
    public let session: String?
    /// What else is said, as far as rules ask for it.
    public let claims: AssertedClaims

    /// An assertion.
    public init(
        issuer: String, subject: String, digest: TokenDigest, expiresAt: Timestamp, askedAt: Timestamp? = nil,
        factors: ShownFactors = .one, displayName: String? = nil, loginHint: String? = nil, locale: Language? = nil,
        session: String? = nil, claims: AssertedClaims = AssertedClaims()
    ) {
        self.issuer = issuer
        self.subject = subject
        self.digest = digest
        self.expiresAt = expiresAt
        self.askedAt = askedAt
        self.factors = factors
        self.displayName = displayName
        self.loginHint = loginHint
        self.locale = locale
        self.session = session
        self.claims = claims
    }
}
