public import Cryptography

/// What a person showed to sign in. It must still hold when the session opens: a password may be reset or an identity
/// removed while it is checked.
///
/// It is a digest, so that it may be stored until the second factor is shown.
public struct SignInProof: Sendable, Equatable {
    /// The SHA-256 of the kind of proof and what was shown.
    public let digest: [UInt8]
    /// The origin at a provider, which the new session stores; `nil` if no provider was used.
    public let origin: SessionOrigin?

    /// Creates a proof as it is stored.
    public init(stored digest: [UInt8], origin: SessionOrigin?) {
        self.digest = digest
        self.origin = origin
    }

    private init(_ parts: String..., through origin: SessionOrigin? = nil) {
        digest = SHA256.hash(Array(parts.joined(separator: "\n").utf8))
        self.origin = origin
    }

    /// Creates the proof of a password with this hash.
    public static func password(_ hash: PasswordHash) -> SignInProof { SignInProof("password", hash.text) }

    /// Creates the proof of an identity, without an origin.
    public static func identity(issuer: String, subject: String) -> SignInProof {
        SignInProof("identity", issuer, subject)
    }

    /// Creates the proof of an assertion's identity, with its origin.
    public static func identity(_ assertion: Assertion) -> SignInProof {
        SignInProof("identity", assertion.issuer, assertion.subject, through: SessionOrigin(of: assertion))
    }

    /// Creates the proof of a passkey with this credential identifier.
    public static func passkey(_ credential: [UInt8]) -> SignInProof {
        SignInProof("passkey", credential.hexadecimal)
    }

    /// A way to sign in.
    enum Way: Equatable {
        case password
        case passkey
        /// A provider, by the issuer of its identities.
        case provider(issuer: String)
    }

    /// Returns the way by which the proof still opens the account; `nil` if it no longer does.
    ///
    /// - Parameters:
    ///   - password: The hash of the account's password; `nil` if it has none.
    ///   - identities: The account's identities.
    ///   - passkeys: The account's passkeys.
    func way(password: PasswordHash?, identities: [LinkedIdentity], passkeys: [Passkey]) -> Way? {
        if let password, shows(.password(password)) { return .password }
        if passkeys.contains(where: { shows(.passkey($0.credential)) }) { return .passkey }
        return identities.first { shows(.identity(issuer: $0.issuer, subject: $0.subject)) }
            .map { .provider(issuer: $0.issuer) }
    }

    private func shows(_ other: SignInProof) -> Bool {
        digest == other.digest
    }
}
