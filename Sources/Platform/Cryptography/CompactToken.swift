/// A signed token in the compact form of RFC 7515, `header.payload.signature`, parsed but not yet verified.
///
/// Decoding is strict: a token has only one text, so the hash of the text tells whether the token was used before.
public struct CompactToken: Sendable, Equatable {
    /// The longest text that is read by default, in bytes.
    public static let maximumLength = 4_096

    /// The header's JSON text.
    public let header: [UInt8]
    /// The payload's JSON text.
    public let payload: [UInt8]
    /// The signature.
    public let signature: [UInt8]
    private let signed: [UInt8]

    /// Parses a text; `nil` unless it has three parts of Base64url without padding, in at most `limit` bytes.
    public init?(text: String, limit: Int = CompactToken.maximumLength) {
        guard text.utf8.count <= limit else { return nil }
        let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.url.decode(parts[0]), let payload = Base64.url.decode(parts[1]),
            let signature = Base64.url.decode(parts[2]), !header.isEmpty, !payload.isEmpty, !signature.isEmpty
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Makes a token that is signed with HMAC-SHA-256 (`HS256`).
    public init(header: [UInt8], payload: [UInt8], key: HMACSHA256) {
        self.header = header
        self.payload = payload
        signed = Array("\(Base64.url.encode(header)).\(Base64.url.encode(payload))".utf8)
        signature = key.authenticate(signed)
    }

    /// Returns whether the signature is the complete `HS256` signature of any of the keys. Takes the same time
    /// whichever key matches.
    public func isSigned(byAnyOf keys: [HMACSHA256]) -> Bool {
        keys.map { $0.isValid(signature, for: signed) }.contains(true)
    }

    /// Returns whether `key` made the signature with `algorithm`, which the caller allows. The header's algorithm has
    /// no effect here; the caller compares it.
    public func isSigned(by key: PublicKey, with algorithm: SignatureAlgorithm) -> Bool {
        key.isValid(signature, for: signed, by: algorithm)
    }

    /// The token in its compact form.
    public var text: String { "\(String(decoding: signed, as: UTF8.self)).\(Base64.url.encode(signature))" }
}
