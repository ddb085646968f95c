/// A signed token in the compact form of RFC 7515, `header.payload.signature`, taken apart and not yet believed.
///
/// What stands in it is decoded strictly: one token has one text, so that its hash tells whether it was used before.
public struct CompactToken: Sendable, Equatable {
    /// The longest text that is looked at, in bytes.
    public static let maximumLength = 4_096

    /// The header's JSON text.
    public let header: [UInt8]
    /// The payload's JSON text.
    public let payload: [UInt8]
    /// The signature.
    public let signature: [UInt8]
    private let signed: [UInt8]

    /// Takes a text apart; `nil` for anything that is not three parts of Base64url without padding.
    public init?(text: String) {
        guard text.utf8.count <= CompactToken.maximumLength else { return nil }
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

    /// Whether the signature is the whole `HS256` one of any of the keys. The time it takes does not tell of which.
    public func isSigned(byAnyOf keys: [HMACSHA256]) -> Bool {
        keys.map { $0.isValid(signature, for: signed) }.contains(true)
    }

    /// The token as it travels.
    public var text: String { "\(String(decoding: signed, as: UTF8.self)).\(Base64.url.encode(signature))" }
}
