public import Cryptography

/// What a person showed to sign in. It must still hold when the session opens: checking it takes time, in which a password
/// may be reset, or an identity removed.
///
/// It is a digest, so that it may be kept while the second factor is waited for.
public struct SignInProof: Sendable, Equatable {
    /// SHA-256 over the kind of proof and what was shown.
    public let digest: [UInt8]
    /// Through which provider, if any: the session that opens remembers it.
    public let origin: SessionOrigin?

    /// A proof as it is stored.
    public init(stored digest: [UInt8], origin: SessionOrigin?) {
        self.digest = digest
        self.origin = origin
    }

    private init(_ parts: String..., through origin: SessionOrigin? = nil) {
        digest = SHA256.hash(Array(parts.joined(separator: "\n").utf8))
        self.origin = origin
    }

    /// The password of this hash.
    public static func password(_ hash: PasswordHash) -> SignInProof { SignInProof("password", hash.text) }

    /// That an issuer vouches for a subject.
    public static func identity(issuer: String, subject: String) -> SignInProof {
        SignInProof("identity", issuer, subject)
    }

    /// That an issuer has vouched for a person, in a session of its own.
    public static func identity(_ assertion: Assertion) -> SignInProof {
        SignInProof("identity", assertion.issuer, assertion.subject, through: SessionOrigin(of: assertion))
    }

    /// That an authenticator has signed with the passkey that it knows by this name.
    public static func passkey(_ credential: [UInt8]) -> SignInProof {
        SignInProof("passkey", credential.hexadecimal)
    }

    /// A way in.
    enum Way: Equatable {
        case password
        case passkey
        /// By another server, under the name under which its identities are kept.
        case provider(issuer: String)
    }

    /// By which way it still opens the account; `nil` when it does not any more.
    ///
    /// - Parameters:
    ///   - password: the account's password; `nil` for none.
    ///   - identities: the account's identities.
    ///   - passkeys: the account's passkeys.
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
