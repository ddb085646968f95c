package import Cryptography
import JSON

/// The relying party: this server as authenticators know it. Passkeys are bound to its host.
public struct RelyingParty: Sendable, Equatable {
    /// The host, which identifies the server to authenticators.
    public let id: String
    /// The only origin whose pages may use passkeys; `nil` for plain HTTP on loopback with any port.
    private let origin: String?

    /// Creates a server with a public address.
    ///
    /// - Parameters:
    ///   - host: The host without a port.
    ///   - origin: The scheme, host and port as browsers write them.
    public init(host: String, origin: String) {
        id = host
        self.origin = origin
    }

    /// A server that only this machine can reach, as `localhost`.
    public static let loopback = RelyingParty(id: "localhost", origin: nil)

    private init(id: String, origin: String?) {
        self.id = id
        self.origin = origin
    }

    /// Returns whether pages of an origin may use passkeys.
    package func accepts(origin text: String) -> Bool {
        guard let origin else {
            let rest = text.hasPrefix("http://localhost") ? text.dropFirst("http://localhost".count) : nil
            guard let rest else { return false }
            return rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil
        }
        return text == origin
    }

    /// Returns whether authenticator data is for this server and says that the user was present and verified.
    package func accepts(_ data: AuthenticatorData) -> Bool {
        data.party == SHA256.hash(id.utf8) && data.flags.isSuperset(of: [.userPresent, .userVerified])
    }
}

/// The client data in which a browser says what it was asked to do (WebAuthn Level 2, 5.8.1).
package struct ClientData: Sendable {
    /// The operation that the browser was asked to do.
    package enum Kind: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    private static let longest = 8_192

    package let challenge: SecretToken
    package let origin: String
    /// The SHA-256 of the client data as received, which the authenticator signs.
    package let digest: [UInt8]

    /// Parses client data; `nil` for another operation, or if a page embedded in one of another origin asked.
    package init?(_ bytes: [UInt8], as kind: Kind) {
        guard bytes.count <= Self.longest, let json = try? JSON.parse(bytes), json["type"]?.string == kind.rawValue,
            let challenge = json["challenge"]?.string.flatMap({ SecretToken(text: $0) }),
            let origin = json["origin"]?.string, json["crossOrigin"]?.bool != true
        else { return nil }
        self.challenge = challenge
        self.origin = origin
        digest = SHA256.hash(bytes)
    }
}

extension RelyingParty {
    /// Returns the credential of an attestation object in the format `none`, which does not certify the authenticator's
    /// model.
    package func credential(
        _ attestation: [UInt8]
    ) -> (credential: AuthenticatorData.Credential, counter: UInt32)? {
        guard let object = CBOR(attestation), object["fmt"]?.text == "none", object["attStmt"] == .map([]),
            let data = object["authData"]?.bytes.flatMap({ AuthenticatorData($0) }), accepts(data),
            let credential = data.credential, COSEKey(credential.key) != nil
        else { return nil }
        return (credential, data.counter)
    }
}
