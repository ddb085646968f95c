/// The asymmetric signature algorithms that the server accepts, by their names in RFC 7518 and RFC 8037.
///
/// The code that checks a signature chooses which of them it accepts; the algorithm that a token names must be one of
/// those.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes.
    case ps256 = "PS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
}

/// How the two numbers of an ECDSA signature are written. Other signatures have only one form.
public enum ECDSAEncoding: Sendable {
    /// `r` and `s`, 32 bytes each: the form of a JWS (RFC 7518, section 3.4).
    case fixed
    /// A DER sequence of two integers: the form of WebAuthn.
    case der
}
