/// A way to prove one's identity.
public enum ProofWay: String, Sendable, CaseIterable {
    /// With the password.
    case password
    /// With a code of the second factor.
    case totp
    /// With a passkey.
    case passkey
    /// With a provider that authenticates the person again.
    case provider
}

/// The error if a session's owner must prove their identity again.
public struct StepUpRequired: Error, Equatable, Sendable {
    /// The possible ways; none if the owner must add a passkey first.
    public let ways: [ProofWay]
    /// The possible providers, if ``ProofWay/provider`` is a way.
    public let providers: [ProviderID]

    /// Creates the error.
    public init(ways: [ProofWay], providers: [ProviderID] = []) {
        self.ways = ways
        self.providers = providers
    }
}
