public import JSON

/// A key of a key set (RFC 7517), with its name and the algorithm that it is for.
public struct JSONWebKey: Sendable, Equatable {
    /// How many keys of a set are read.
    public static let maximumCount = 64

    /// Its name within the set (`kid`), if it has one.
    public let id: String?
    /// The only algorithm that it is for (`alg`), if it names one.
    public let algorithm: SignatureAlgorithm?
    /// The key.
    public let key: PublicKey

    /// Reads a signature key; `nil` for another use, an unknown kind, an algorithm that is not in
    /// ``SignatureAlgorithm``, or numbers that do not form a key.
    public init?(_ json: JSON) {
        guard json["use"].map({ $0.string == "sig" }) ?? true, Self.mayVerify(json["key_ops"]),
            let key = Self.key(of: json)
        else { return nil }
        var algorithm: SignatureAlgorithm?
        if let name = json["alg"] {
            guard let known = name.string.flatMap(SignatureAlgorithm.init(rawValue:)) else { return nil }
            algorithm = known
        }
        self.id = json["kid"]?.string
        self.algorithm = algorithm
        self.key = key
    }

    /// Returns the signature keys of a set and skips everything else in it.
    public static func read(set: JSON) -> [JSONWebKey] {
        (set["keys"]?.array ?? []).prefix(maximumCount).compactMap(JSONWebKey.init)
    }

    private static func mayVerify(_ operations: JSON?) -> Bool {
        operations.map { $0.array?.contains("verify") ?? false } ?? true
    }

    private static func key(of json: JSON) -> PublicKey? {
        func bytes(_ name: String) -> [UInt8]? { json[name]?.string.flatMap { Base64.url.decode($0) } }
        switch (json["kty"]?.string, json["crv"]?.string) {
        case ("RSA", nil):
            guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
            return PublicKey(rsaModulus: modulus, exponent: exponent)
        case ("EC", "P-256"):
            guard let x = bytes("x"), let y = bytes("y") else { return nil }
            return PublicKey(p256X: x, y: y)
        case ("OKP", "Ed25519"):
            return bytes("x").flatMap { PublicKey(ed25519: $0) }
        default:
            return nil
        }
    }
}
