/// A 256-bit secret, handed out once as text; only its digest is stored.
///
/// Sessions, invitations, resets and live tickets are such tokens. A digest is enough to recognise one and worthless to
/// a thief of the store; 256 random bits need no slow hash.
public struct SecretToken: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// Makes a new token.
    public init(random: RandomSource) { bytes = random.bytes(32) }

    /// Takes 32 unguessable bytes as a token.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a token's text; `nil` for anything that cannot be one.
    public init?(text: some StringProtocol) { self.init(text: text.utf8) }

    /// Reads a token's text, given in UTF-8.
    public init?(text: some Collection<UInt8>) {
        guard text.count == 43, let bytes = Base64.url.decode(text) else { return nil }
        self.bytes = bytes
    }

    /// The 43 characters that only its owner receives.
    public var text: String { Base64.url.encode(bytes) }

    /// The digest, which is stored and looked up.
    public var digest: TokenDigest { TokenDigest(bytes: SHA256.hash(bytes)) }

    /// Shows nothing of the secret.
    public var description: String { "SecretToken(…)" }
    /// Shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The SHA-256 of a token, by which a store finds what the token stands for.
public struct TokenDigest: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// Takes a digest from the store.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}
