import Accounts
import Cryptography
import JSON
import Messages
import Shared

/// An ID token (OpenID Connect Core 1.0, section 2), parsed but not yet verified.
struct IDToken: Sendable {
    /// The longest token that is read, in bytes.
    static let maximumLength = 16 << 10
    /// How far the issuer's clock may be off, in seconds.
    static let skew: Int64 = 60

    /// A key, with the algorithm that it is used for.
    struct Key: Sendable {
        let key: PublicKey
        let algorithm: SignatureAlgorithm
    }

    /// What a token must contain.
    struct Expectation: Sendable {
        let issuer: String
        let clientID: String
        let nonce: String
        let begunAt: Timestamp
        let accessToken: String?
        /// Whether the issuer must have authenticated the person since the attempt began.
        let asksAgain: Bool
        /// Whether the issuer is trusted when it says that two factors were shown.
        let vouchesForFactors: Bool
        let now: Timestamp
        /// The claims that membership rules use.
        let claims: Set<String>
    }

    /// The algorithm that its header names, if it is known. Other code decides whether it is accepted.
    let algorithm: SignatureAlgorithm?
    private let text: String
    private let token: CompactToken
    private let keyID: String?
    /// The type of token that the header names; `nil` for none.
    private let type: JSON?
    private let claims: JSON

    /// Parses a text; `nil` if it is not a signed JSON token, or if it requires an extension.
    init?(text: String) {
        let limits = JSONLimits(depth: 16)
        guard let token = CompactToken(text: text, limit: Self.maximumLength),
            let header = try? JSON.parse(token.header, limits: limits), header.object != nil, header["crit"] == nil,
            let claims = try? JSON.parse(token.payload, limits: limits), claims.object != nil
        else { return nil }
        self.text = text
        self.token = token
        self.claims = claims
        algorithm = header["alg"]?.string.flatMap { SignatureAlgorithm(rawValue: $0) }
        keyID = header["kid"]?.string
        type = header["typ"]
    }

    /// Throws unless the header names one of these types of token, or none.
    private func checkType(_ kinds: [String]) throws(ProviderError) {
        guard let type else { return }
        guard let kind = type.string, kinds.contains(kind.lowercased()) else {
            throw .refused("the token is of another kind")
        }
    }

    /// Returns the issuer's key with the token's key id and algorithm; `nil` if there is none. For a token without a
    /// key id, exactly one key must fit.
    func key(among keys: [JSONWebKey]) -> PublicKey? {
        let fitting = keys.filter { $0.algorithm == nil || $0.algorithm == algorithm }
        if let keyID { return fitting.first { $0.id == keyID }?.key }
        return fitting.count == 1 ? fitting[0].key : nil
    }

    /// Verifies the token and returns what it asserts; throws the reason if it is not accepted.
    func assertion(signedBy key: Key, meeting expected: Expectation) throws(ProviderError) -> Assertion {
        guard token.isSigned(by: key.key, with: key.algorithm) else { throw .refused("the signature is wrong") }
        // Access tokens and logout tokens are signed with the same keys.
        try checkType(["jwt"])
        guard claims["iss"]?.string == expected.issuer else { throw .refused("the issuer is another one") }
        guard isFor(expected.clientID) else { throw .refused("the audience is another one") }
        guard let nonce = claims["nonce"]?.string,
            isEqualInConstantTime(Array(nonce.utf8), Array(expected.nonce.utf8))
        else { throw .refused("the nonce is another one") }
        let end = try checkTimes(expected)
        let askedAt = try timeOfAsking(expected)
        try checkAccessToken(expected.accessToken)
        guard let subject else { throw .refused("there is no subject") }
        return Assertion(
            issuer: expected.issuer, subject: subject, digest: TokenDigest(bytes: SHA256.hash(text.utf8)),
            expiresAt: Timestamp(microseconds: 0).adding(seconds: end + Self.skew + 1), askedAt: askedAt,
            factors: expected.vouchesForFactors && AuthenticationMethods(claims).areTwoFactors
                ? .vouched(by: expected.issuer) : .one,
            displayName: line("name", 100),
            personName: PersonName(given: line("given_name", 100), family: line("family_name", 100)),
            loginHint: line("preferred_username", 64),
            locale: claims["locale"]?.string.flatMap { Language(tag: $0) },
            session: claims["sid"]?.string.flatMap { Self.isSessionName($0) ? $0 : nil },
            claims: asserted(expected.claims))
    }

    static func isSessionName(_ text: String) -> Bool { (1...512).contains(text.utf8.count) }

    /// Returns the claims that membership rules use: a text, or a list of texts. If `_claim_names` has a name instead,
    /// its claim would have to be fetched elsewhere, so it stays unknown.
    private func asserted(_ names: Set<String>) -> AssertedClaims {
        var texts: [String: Set<String>] = [:]
        var elsewhere: Set<String> = []
        for name in names {
            switch claims[name] {
            case .string(let text)?: texts[name] = [text]
            case .array(let list)?: texts[name] = Set(list.compactMap(\.string))
            case nil where claims["_claim_names"]?[name] != nil: elsewhere.insert(name)
            default: break
            }
        }
        return AssertedClaims(texts: texts, elsewhere: elsewhere)
    }

    private var subject: String? {
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return subject
    }

    /// Returns whether the token is for this client. If it is for others too, this client must be the authorised one
    /// (`azp`).
    private func isFor(_ clientID: String) -> Bool {
        let authorized = claims["azp"].map { $0.string == clientID }
        if let audience = claims["aud"]?.string { return audience == clientID && authorized ?? true }
        guard let audiences = claims["aud"]?.array, audiences.contains(.string(clientID)) else { return false }
        return authorized ?? (audiences.count == 1)
    }

    /// Checks the times of issue and expiry; returns the expiry time, in seconds since 1970.
    private func checkTimes(_ expected: Expectation) throws(ProviderError) -> Int64 {
        let now = expected.now.microseconds / 1_000_000
        guard let issued = seconds("iat"), let end = seconds("exp") else { throw .refused("a time is missing") }
        guard now < end + Self.skew else { throw .refused("the token has expired") }
        guard issued <= now + Self.skew else { throw .refused("the token is of the future") }
        guard issued + Self.skew >= expected.begunAt.microseconds / 1_000_000 else {
            throw .refused("the token is older than the attempt")
        }
        if claims["nbf"] != nil {
            guard let start = seconds("nbf"), start <= now + Self.skew else {
                throw .refused("the token does not hold yet")
            }
        }
        return end
    }

    /// Returns when the person was authenticated, if the issuer says so (`auth_time`). If the attempt demands it, the
    /// issuer must say so, and the time must not be before the attempt.
    private func timeOfAsking(_ expected: Expectation) throws(ProviderError) -> Timestamp? {
        let time = seconds("auth_time").flatMap { $0 <= expected.now.microseconds / 1_000_000 + Self.skew ? $0 : nil }
        if expected.asksAgain {
            guard let time else { throw .refused("it is not said when the person was asked") }
            guard time + Self.skew >= expected.begunAt.microseconds / 1_000_000 else {
                throw .refused("the person was not asked again")
            }
        }
        return time.map { Timestamp(microseconds: 0).adding(seconds: $0) }
    }

    /// Checks `at_hash`, if it is present: the left half of the access token's hash.
    private func checkAccessToken(_ accessToken: String?) throws(ProviderError) {
        guard let claim = claims["at_hash"] else { return }
        guard let accessToken, claim.string == Base64.url.encode(Array(SHA256.hash(accessToken.utf8).prefix(16))) else {
            throw .refused("the access token is another one")
        }
    }

    /// Returns whole seconds since 1970, up to the year 9999; `nil` for anything else. Some issuers add a fraction,
    /// which is cut off.
    private func seconds(_ name: String) -> Int64? {
        guard case .number(let text)? = claims[name], let value = Int64(text.prefix { $0 != "." }),
            (0...253_402_300_799).contains(value)
        else { return nil }
        return value
    }

    /// Returns a claim as one line of text without control characters, cut to `length` code points; `nil` if it is
    /// empty.
    private func line(_ name: String, _ length: Int) -> String? {
        guard let text = claims[name]?.string else { return nil }
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(length)
        let line = String(String.UnicodeScalarView(scalars))
        return line.allSatisfy(\.isWhitespace) ? nil : line
    }
}

// Logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.4) have the form of ID tokens but are not ID tokens.
extension IDToken {
    private static let logoutEvent = "http://schemas.openid.net/event/backchannel-logout"
    /// The maximum age of a logout token, in seconds. Its name is remembered at least that long.
    private static let logoutAge: Int64 = 600

    /// Verifies a logout token and returns its notice; throws the reason if it is not accepted.
    func logout(
        signedBy key: Key, from issuer: String, to clientID: String, at now: Timestamp
    ) throws(ProviderError) -> LogoutNotice {
        guard token.isSigned(by: key.key, with: key.algorithm) else { throw .refused("the signature is wrong") }
        try checkType(["jwt", "logout+jwt"])
        guard claims["iss"]?.string == issuer else { throw .refused("the issuer is another one") }
        guard isFor(clientID) else { throw .refused("the audience is another one") }
        // An ID token must never pass for a logout token.
        guard claims["nonce"] == nil else { throw .refused("a logout token has no nonce") }
        guard claims["events"]?[Self.logoutEvent]?.object != nil else { throw .refused("it says nothing of a logout") }
        try checkLogoutTimes(now)
        guard let name = claims["jti"]?.string, Self.isSessionName(name) else {
            throw .refused("the token has no name")
        }
        let once = (
            digest: TokenDigest(bytes: SHA256.hash("logout \(issuer) \(name)".utf8)),
            until: now.adding(seconds: Self.logoutAge + 2 * Self.skew)
        )
        return LogoutNotice(issuer: issuer, ending: try logoutTarget(), once: once)
    }

    private func checkLogoutTimes(_ moment: Timestamp) throws(ProviderError) {
        let now = moment.microseconds / 1_000_000
        guard let issued = seconds("iat") else { throw .refused("a time is missing") }
        guard issued <= now + Self.skew, now <= issued + Self.logoutAge else {
            throw .refused("the token is too old, or of the future")
        }
        if claims["exp"] != nil {
            guard let end = seconds("exp"), now < end + Self.skew else { throw .refused("the token has expired") }
        }
    }

    private func logoutTarget() throws(ProviderError) -> LogoutNotice.Target {
        if claims["sub"] != nil, subject == nil { throw .refused("the subject cannot be read") }
        let person = subject.map { SessionOrigin.digest($0) }
        if let session = claims["sid"] {
            guard let name = session.string, Self.isSessionName(name) else {
                throw .refused("the session cannot be read")
            }
            return .session(SessionOrigin.digest(name), of: person)
        }
        guard let person else { throw .refused("neither a session nor a person is named") }
        return .person(person)
    }
}
