/// How the owner of an account can sign in.
public struct WaysIn: Sendable, Equatable {
    /// Whether the account has a password.
    public let hasPassword: Bool
    /// Whether the account has a passkey.
    public let hasPasskey: Bool
    /// Who else vouches for the owner.
    public let identities: [LinkedIdentity]

    /// Ways in.
    public init(hasPassword: Bool, hasPasskey: Bool, identities: [LinkedIdentity]) {
        self.hasPassword = hasPassword
        self.hasPasskey = hasPasskey
        self.identities = identities
    }

    /// Whether one of them is open. An identity is a way in as long as the configuration names its provider.
    ///
    /// - Parameter issuers: those of the providers that the configuration names.
    public func areOpen(through issuers: Set<String>) -> Bool {
        hasPassword || hasPasskey || identities.contains { issuers.contains($0.issuer) }
    }
}
