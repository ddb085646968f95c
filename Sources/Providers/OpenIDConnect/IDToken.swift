import Accounts
import Cryptography
import JSON
import Shared

/// An ID token (OpenID Connect Core 1.0, section 2), taken apart and not yet believed.
struct IDToken: Sendable {
    /// The longest token that is looked at, in bytes.
    static let maximumLength = 16 << 10
    /// How far the issuer's clock may be off, in seconds.
    static let skew: Int64 = 60

    /// A key with the algorithm that it is used for.
    struct Key: Sendable {
        let key: PublicKey
        let algorithm: SignatureAlgorithm
    }

    /// What a token has to say.
    struct Expectation: Sendable {
        let issuer: String
        let clientID: String
        let nonce: String
        let begunAt: Timestamp
        let accessToken: String?
        let now: Timestamp
    }

    /// The algorithm that its header names, if it is a known one. Whether it is believed is decided elsewhere.
    let algorithm: SignatureAlgorithm?
    private let text: String
    private let token: CompactToken
    private let keyID: String?
    private let claims: JSON

    /// Takes a text apart; `nil` for anything that is not a signed token of JSON, and for one that demands an extension.
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
    }

    /// The issuer's key of the token's name and algorithm. A token that names none goes with the only key there is.
    func key(among keys: [JSONWebKey]) -> PublicKey? {
        let fitting = keys.filter { $0.algorithm == nil || $0.algorithm == algorithm }
        if let keyID { return fitting.first { $0.id == keyID }?.key }
        return fitting.count == 1 ? fitting[0].key : nil
    }

    /// Believes the token, or throws why not.
    func assertion(signedBy key: Key, meeting expected: Expectation) throws(ProviderError) -> Assertion {
        guard token.isSigned(by: key.key, with: key.algorithm) else { throw .refused("the signature is wrong") }
        guard claims["iss"]?.string == expected.issuer else { throw .refused("the issuer is another one") }
        guard isFor(expected.clientID) else { throw .refused("the audience is another one") }
        guard let nonce = claims["nonce"]?.string,
            isEqualInConstantTime(Array(nonce.utf8), Array(expected.nonce.utf8))
        else { throw .refused("the nonce is another one") }
        let end = try checkTimes(expected)
        try checkAccessToken(expected.accessToken)
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .refused("there is no subject") }
        return Assertion(
            issuer: expected.issuer, subject: subject, digest: TokenDigest(bytes: SHA256.hash(text.utf8)),
            expiresAt: Timestamp(microseconds: 0).adding(seconds: end + Self.skew + 1), displayName: line("name", 100),
            loginHint: line("preferred_username", 64))
    }

    /// Whether the token is for this client, and for others only when it is the one that was authorised.
    private func isFor(_ clientID: String) -> Bool {
        let authorized = claims["azp"].map { $0.string == clientID }
        if let audience = claims["aud"]?.string { return audience == clientID && authorized ?? true }
        guard let audiences = claims["aud"]?.array, audiences.contains(.string(clientID)) else { return false }
        return authorized ?? (audiences.count == 1)
    }

    /// Checks when the token was made and until when it holds, and answers the latter in seconds since 1970.
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

    /// `at_hash`, where it is present, is the left half of the hash of the access token.
    private func checkAccessToken(_ accessToken: String?) throws(ProviderError) {
        guard let claim = claims["at_hash"] else { return }
        guard let accessToken, claim.string == Base64.url.encode(Array(SHA256.hash(accessToken.utf8).prefix(16))) else {
            throw .refused("the access token is another one")
        }
    }

    /// Whole seconds since 1970, up to the year 9999. Some issuers write them with a fraction, which is cut off.
    private func seconds(_ name: String) -> Int64? {
        guard case .number(let text)? = claims[name], let value = Int64(text.prefix { $0 != "." }),
            (0...253_402_300_799).contains(value)
        else { return nil }
        return value
    }

    /// A claim as one line of text without control characters, cut to a length in code points; `nil` for an empty one.
    private func line(_ name: String, _ length: Int) -> String? {
        guard let text = claims[name]?.string else { return nil }
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(length)
        let line = String(String.UnicodeScalarView(scalars))
        return line.allSatisfy(\.isWhitespace) ? nil : line
    }
}
