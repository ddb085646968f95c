import HTTP
import JSON
import Messages

/// The metadata of a provider (Discovery 1.0).
struct OpenIDConnectMetadata: Sendable, Equatable {
    /// The address to which the browser goes.
    let authorizationEndpoint: String
    /// The address at which codes are exchanged.
    let tokenEndpoint: String
    /// The address of the keys.
    let keys: String
    /// Whether its answers name the issuer (RFC 9207).
    let namesIssuer: Bool
    /// Whether the client's secret is sent in a header, which is the default.
    let takesBasic: Bool
    /// Whether it offers PKCE with S256, which binds codes to their exchange; `nil` if it does not say.
    let bindsCodes: Bool?

    /// Reads a document; throws a fault if it is not the issuer's own, or if it lacks something that a sign-in needs.
    init(_ json: JSON, of issuer: String) throws(Fault) {
        guard let found = json["issuer"]?.string else { throw Fault(.metadataIncomplete, ["name": "issuer"]) }
        guard found == issuer else {
            throw Fault(.issuerDiffers, ["found": .string(String(found.prefix(1_024))), "expected": .string(issuer)])
        }
        authorizationEndpoint = try Self.address("authorization_endpoint", json, issuer)
        tokenEndpoint = try Self.address("token_endpoint", json, issuer)
        keys = try Self.address("jwks_uri", json, issuer)
        namesIssuer = json["authorization_response_iss_parameter_supported"]?.bool ?? false
        let methods = json["token_endpoint_auth_methods_supported"]?.array
        takesBasic = methods?.contains("client_secret_basic") ?? true
        bindsCodes = json["code_challenge_methods_supported"]?.array?.contains("S256")
    }

    /// Returns the address of an issuer's document.
    static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// An address without a user or fragment: `https`, or plain `http` on this machine if the issuer is there too.
    private static func address(_ name: String, _ json: JSON, _ issuer: String) throws(Fault) -> String {
        guard let text = json[name]?.string, text.utf8.count <= 2_048, !text.contains("#"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            isSafe(text, of: issuer)
        else { throw Fault(.metadataIncomplete, ["name": .string(name)]) }
        return text
    }

    private static func isSafe(_ text: String, of issuer: String) -> Bool {
        // Browsers treat a backslash as a slash.
        func authority(after scheme: String) -> Authority? {
            guard text.hasPrefix(scheme), !text.contains("\\") else { return nil }
            return Authority(String(text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }))
        }
        if authority(after: "https://") != nil { return true }
        return issuer.hasPrefix("http://") && authority(after: "http://")?.address?.isLoopback == true
    }
}
