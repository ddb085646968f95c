import JSON

/// What a provider tells of itself (Discovery 1.0).
struct OpenIDConnectMetadata: Sendable, Equatable {
    /// Where the browser goes.
    let authorizationEndpoint: String
    /// Where codes are exchanged.
    let tokenEndpoint: String
    /// Where the keys are.
    let keys: String
    /// Whether its answers name the issuer (RFC 9207).
    let namesIssuer: Bool
    /// Whether the client's secret goes in a header, as it does unless the provider says otherwise.
    let takesBasic: Bool

    /// Reads a document; `nil` unless it is the issuer's own and names what a sign-in needs.
    init?(_ json: JSON, of issuer: String) {
        guard json["issuer"]?.string == issuer,
            let authorization = Self.address("authorization_endpoint", json, issuer),
            let token = Self.address("token_endpoint", json, issuer), let keys = Self.address("jwks_uri", json, issuer)
        else { return nil }
        authorizationEndpoint = authorization
        tokenEndpoint = token
        self.keys = keys
        namesIssuer = json["authorization_response_iss_parameter_supported"]?.bool ?? false
        let methods = json["token_endpoint_auth_methods_supported"]?.array
        takesBasic = methods?.contains("client_secret_basic") ?? true
    }

    /// Where the document of an issuer lies.
    static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// An address without a fragment and of the issuer's own scheme at least: what begins with TLS goes on with it.
    private static func address(_ name: String, _ json: JSON, _ issuer: String) -> String? {
        guard let text = json[name]?.string, text.utf8.count <= 2_048, !text.contains("#"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text.hasPrefix("https://") || issuer.hasPrefix("http://") && text.hasPrefix("http://") ? text : nil
    }
}
