/// A signed token in the compact form of RFC 7515, `header.payload.signature`, taken apart and not yet believed.
///
/// What stands in it is decoded strictly: one token has one text, so that its hash tells whether it was used before.
public struct CompactToken: Sendable, Equatable {
    /// The longest text that is looked at unless the caller says otherwise, in bytes.
    public static let maximumLength = 4_096

    /// The header's JSON text.
    public let header: [UInt8]
    /// The payload's JSON text.
    public let payload: [UInt8]
    /// The signature.
    public let signature: [UInt8]
    private let signed: [UInt8]

    /// Takes a text apart; `nil` for anything that is not three parts of Base64url without padding, and for more than
    /// `limit` bytes.
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

    /// Makes a token with an HMAC of SHA-256 (`HS256`).
    public init(header: [UInt8], payload: [UInt8], key: HMACSHA256) {
        self.header = header
        self.payload = payload
        signed = Array("\(Base64.url.encode(header)).\(Base64.url.encode(payload))".utf8)
        signature = key.authenticate(signed)
    }

    /// Whether the signature is the whole `HS256` one of any of the keys. Takes the same time whichever key matched.
    public func isSigned(byAnyOf keys: [HMACSHA256]) -> Bool {
        keys.map { $0.isValid(signature, for: signed) }.contains(true)
    }

    /// Whether the signature is that key's with that algorithm, which the caller allows. What the header says of its
    /// algorithm is for the caller to compare; it decides nothing here.
    public func isSigned(by key: PublicKey, with algorithm: SignatureAlgorithm) -> Bool {
        key.isValid(signature, for: signed, by: algorithm)
    }

    /// The token as it travels.
    public var text: String { "\(String(decoding: signed, as: UTF8.self)).\(Base64.url.encode(signature))" }
}
