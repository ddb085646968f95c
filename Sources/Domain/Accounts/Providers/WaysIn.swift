/// The ways in which the owner of an account can sign in.
public struct WaysIn: Sendable, Equatable {
    /// Whether the account has a password.
    public let hasPassword: Bool
    /// Whether the account has a passkey.
    public let hasPasskey: Bool
    /// The identities that it is linked with.
    public let identities: [LinkedIdentity]

    /// Creates ways to sign in.
    public init(hasPassword: Bool, hasPasskey: Bool, identities: [LinkedIdentity]) {
        self.hasPassword = hasPassword
        self.hasPasskey = hasPasskey
        self.identities = identities
    }

    /// Returns whether the owner can sign in. An identity counts only while its provider is configured.
    ///
    /// - Parameters:
    ///   - issuers: those of the providers that the configuration names.
    ///   - countsPasskeys: whether passkeys can be used here.
    public func areOpen(through issuers: Set<String>, countingPasskeys countsPasskeys: Bool = true) -> Bool {
        hasPassword || hasPasskey && countsPasskeys || identities.contains { issuers.contains($0.issuer) }
    }
}

/// Which ways in the configuration leaves open, beside passwords.
public struct OpenWays: Sendable, Equatable {
    /// The issuers of the providers that it names.
    public let issuers: Set<String>
    /// Whether passkeys can be used.
    public let passkeys: Bool

    /// Ways that are open; passwords always are.
    public init(issuers: Set<String> = [], passkeys: Bool = false) {
        self.issuers = issuers
        self.passkeys = passkeys
    }

    /// Whether a person who has these ways can sign in.
    public func open(_ ways: WaysIn) -> Bool { ways.areOpen(through: issuers, countingPasskeys: passkeys) }
}
