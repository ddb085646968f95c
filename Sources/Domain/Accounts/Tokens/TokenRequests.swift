public import Forms
import JSON
import Shared

/// A request to create a lasting token, as far as it could be read.
public struct TokenRequest: Sendable {
    let name: String?
    let scopes: Set<Scope>
    /// The lifetime in days; `nil` for ``APIToken/usualLife``.
    let days: Int?
    /// The addresses and networks as they were sent.
    let networks: [String]

    /// The form of a request to create a token.
    public static let form = RequestForm(
        "TokenInput", example: ["name": "Nightly export", "scopes": ["records:read"], "days": 90]
    ) { TokenRequest(&$0) }

    private init(_ form: inout Form) {
        name = form.line("name", max: APIToken.longestName, required: true)
        scopes = form.choices("scopes", of: Scope.allCases, most: Scope.allCases.count, required: true) ?? []
        days = form.integer("days", in: 1...APIToken.longestLife)
        networks = form.texts("networks", most: APIToken.mostNetworks) ?? []
    }
}

/// A request to create a secret of a service account, as far as it could be read.
public struct SecretRequest: Sendable {
    let name: String?
    /// The lifetime in days; `nil` for ``APIToken/usualLife``.
    let days: Int?
    /// The addresses and networks as they were sent.
    let networks: [String]

    /// The form of a request to create a secret.
    public static let form = RequestForm(
        "ServiceSecretInput", example: ["name": "Nightly export", "days": 365]
    ) { SecretRequest(&$0) }

    private init(_ form: inout Form) {
        name = form.line("name", max: APIToken.longestName, required: true)
        days = form.integer("days", in: 1...APIToken.longestLife)
        networks = form.texts("networks", most: APIToken.mostNetworks) ?? []
    }
}
