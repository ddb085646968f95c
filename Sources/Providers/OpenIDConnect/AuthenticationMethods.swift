import JSON

/// What an issuer says about how it authenticated a person: `amr` (RFC 8176) and `acr`.
struct AuthenticationMethods: Sendable {
    /// The methods of RFC 8176 by kind: something the person knows, has or is.
    private static let kinds: [Set<String>] = [
        ["pwd", "pin", "kba"], ["hwk", "swk", "otp", "sms", "tel", "sc", "pop"],
        ["face", "fpt", "iris", "retina", "vbm"],
    ]
    /// Context classes that mean several factors: REFEDS, OpenID's provider policies, and phishing-resistant ones (EAP
    /// ACR 1.0).
    private static let classes: Set<String> = [
        "https://refeds.org/profile/mfa", "http://schemas.openid.net/pape/policies/2007/06/multi-factor", "phr", "phrh",
    ]

    private let methods: Set<String>
    private let contextClass: String?

    /// Reads the claims of a token.
    init(_ claims: JSON) {
        methods = Set((claims["amr"]?.array ?? []).compactMap(\.string))
        contextClass = claims["acr"]?.string
    }

    /// Whether two factors were shown: `amr` has `mfa` or methods of two kinds, or `acr` is one of the classes.
    var areTwoFactors: Bool {
        methods.contains("mfa") || Self.kinds.count { !$0.isDisjoint(with: methods) } >= 2
            || contextClass.map { Self.classes.contains($0) } ?? false
    }
}
