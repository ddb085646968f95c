public import Cryptography
public import Messages
public import Shared

/// What an issuer asserts about a person, for one sign-in.
public struct Assertion: Sendable, Equatable {
    /// The issuer of the assertion.
    public let issuer: String
    /// The issuer's identifier of the person, which never changes.
    public let subject: String
    /// The digest that distinguishes the assertion from all others.
    public let digest: TokenDigest
    /// The moment from which it is refused, even if unused.
    public let expiresAt: Timestamp
    /// When the issuer last asked the person to sign in, if it says so.
    public let askedAt: Timestamp?
    /// The factors that the person showed, as far as the operator trusts the issuer to vouch for two.
    public let factors: ShownFactors
    /// The person's name, up to 100 code points, for a new account only.
    public let displayName: String?
    /// The first and last name, each up to 100 code points, for a new account only.
    public let personName: PersonName
    /// The beginning of a new account's login; `nil` uses the subject.
    public let loginHint: String?
    /// The person's language, for a new account only.
    public let locale: Language?
    /// The issuer's identifier of its own session with the person.
    public let session: String?
    /// Other claims that the rules need.
    public let claims: AssertedClaims

    /// Creates an assertion.
    public init(
        issuer: String, subject: String, digest: TokenDigest, expiresAt: Timestamp, askedAt: Timestamp? = nil,
        factors: ShownFactors = .one, displayName: String? = nil, personName: PersonName = .none,
        loginHint: String? = nil, locale: Language? = nil, session: String? = nil,
        claims: AssertedClaims = AssertedClaims()
    ) {
        self.issuer = issuer
        self.subject = subject
        self.digest = digest
        self.expiresAt = expiresAt
        self.askedAt = askedAt
        self.factors = factors
        self.displayName = displayName
        self.personName = personName
        self.loginHint = loginHint
        self.locale = locale
        self.session = session
        self.claims = claims
    }
}
