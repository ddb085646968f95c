import Cryptography
import JSON

/// This server as authenticators know it: passkeys are bound to its name.
public struct RelyingParty: Sendable, Equatable {
    /// The host, by which authenticators tell servers apart.
    public let id: String
    /// The one origin whose pages may ask; `nil` for plain HTTP on loopback, at whatever port.
    private let origin: String?

    /// A server with a public address.
    ///
    /// - Parameters:
    ///   - host: without a port.
    ///   - origin: scheme, host and port as browsers write them.
    public init(host: String, origin: String) {
        id = host
        self.origin = origin
    }

    /// A server on this machine alone, which browsers know as `localhost`.
    public static let loopback = RelyingParty(id: "localhost", origin: nil)

    private init(id: String, origin: String?) {
        self.id = id
        self.origin = origin
    }

    /// Whether pages of that origin may ask.
    func accepts(origin text: String) -> Bool {
        guard let origin else {
            let rest = text.hasPrefix("http://localhost") ? text.dropFirst("http://localhost".count) : nil
            guard let rest else { return false }
            return rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil
        }
        return text == origin
    }

    /// Whether authenticator data is for this server, from a person who was there and was verified.
    func accepts(_ data: AuthenticatorData) -> Bool {
        data.party == SHA256.hash(id.utf8) && data.flags.isSuperset(of: [.userPresent, .userVerified])
    }
}

/// What the browser was asked, in its own words (WebAuthn Level 2, 5.8.1).
struct ClientData: Sendable {
    /// What it was asked to do.
    enum Kind: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    private static let longest = 8_192

    let challenge: SecretToken
    let origin: String
    /// The SHA-256 of the words as they came, which is what is signed.
    let digest: [UInt8]

    /// Reads what a page of this server was asked; `nil` for another kind, and for a page inside another one's.
    init?(_ bytes: [UInt8], as kind: Kind) {
        guard bytes.count <= Self.longest, let json = try? JSON.parse(bytes), json["type"]?.string == kind.rawValue,
            let challenge = json["challenge"]?.string.flatMap({ SecretToken(text: $0) }),
            let origin = json["origin"]?.string, json["crossOrigin"]?.bool != true
        else { return nil }
        self.challenge = challenge
        self.origin = origin
        digest = SHA256.hash(bytes)
    }
}
