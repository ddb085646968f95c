public import Forms
import JSON
package import Shared

/// A request to create a lasting token, as far as it could be read.
public struct TokenRequest: Sendable {
    package let name: String?
    package let scopes: Set<Scope>
    /// The lifetime in days; `nil` for ``APIToken/usualLife``.
    package let days: Int?
    /// The addresses and networks as they were sent.
    package let networks: [String]

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
    package let name: String?
    /// The lifetime in days; `nil` for ``APIToken/usualLife``.
    package let days: Int?
    /// The addresses and networks as they were sent.
    package let networks: [String]

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
