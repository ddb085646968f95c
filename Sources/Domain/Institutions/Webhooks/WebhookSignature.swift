public import Cryptography
public import Shared

/// A secret with which messages are signed, as Standard Webhooks defines it: `whsec_` and the key in Base64.
public struct WebhookSecret: Sendable, Equatable, CustomStringConvertible {
    private static let prefix = "whsec_"
    /// The key.
    public let key: [UInt8]

    /// Makes a new secret of 32 bytes.
    public init(random: RandomSource) { key = random.bytes(32) }

    /// Wraps a key that was sealed.
    public init(key: [UInt8]) { self.key = key }

    /// Reads a secret as it is shown.
    public init?(text: String) {
        guard text.hasPrefix(Self.prefix),
            let key = Base64.standard.decode(text.dropFirst(Self.prefix.count).prefix { $0 != "=" })
        else { return nil }
        self.key = key
    }

    /// The secret as it is shown, once.
    public var text: String { Self.prefix + Base64.standard.padded(key) }

    /// Hides the secret from logs.
    public var description: String { "WebhookSecret(…)" }

    /// Returns the signature of a message: HMAC-SHA256 over its identifier, its moment and its body.
    public func signature(of body: [UInt8], _ message: String, at now: Timestamp) -> String {
        let signed = Array("\(message).\(now.microseconds / 1_000_000).".utf8) + body
        return "v1," + Base64.standard.padded(HMACSHA256(key: key).authenticate(signed))
    }

    /// Returns the header fields of a message that each of the secrets signs.
    public static func headers(
        of body: [UInt8], _ message: String, at now: Timestamp, signedBy secrets: [WebhookSecret]
    ) -> [(name: String, value: String)] {
        [
            ("webhook-id", message), ("webhook-timestamp", String(now.microseconds / 1_000_000)),
            ("webhook-signature", secrets.map { $0.signature(of: body, message, at: now) }.joined(separator: " ")),
        ]
    }
}

extension Base64 {
    /// Returns the encoded bytes with padding.
    fileprivate func padded(_ bytes: [UInt8]) -> String {
        let text = encode(bytes)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
