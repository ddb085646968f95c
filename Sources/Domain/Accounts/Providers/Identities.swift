import Messages
public import Shared

/// Who, besides a password, vouches for an account; for its owner.
public struct Identities: Sendable {
    let store: any AccountStore
    let providers: [any IdentityProvider]
    let clock: WallClock
    let rules: VouchingRules

    /// An account's identities, and whether it has a password.
    public func list(of account: AccountID) async throws -> (identities: [LinkedIdentity], hasPassword: Bool) {
        (try await store.identities(of: account), try await store.password(of: account) != nil)
    }

    /// The provider that vouches for an identity; `nil` when the configuration names none of that issuer.
    public func provider(of identity: LinkedIdentity) -> ProviderID? { provider(of: identity.issuer) }

    /// The provider of an issuer; `nil` when the configuration names none.
    func provider(of issuer: String) -> ProviderID? { providers.first { $0.issuer == issuer }?.id }

    /// Ends the link to a provider's person. A provider that the configuration no longer names goes by its issuer.
    public func unlink(_ provider: String, from account: AccountID, from source: String) async throws {
        let issuer = providers.first { $0.id.text == provider }?.issuer ?? provider
        try await unlink(issuer: issuer, from: account, from: source)
    }

    /// Ends a link; `StoreError.notFound` when there is none, and a `FaultList` if no way to sign in would remain.
    public func unlink(issuer: String, from account: AccountID, from source: String) async throws {
        let act = AuditContext(by: account, from: source, at: clock.now)
        let issuers = Set(providers.map(\.issuer))
        try await store.unlink(issuer: issuer, from: account, by: act) { left in
            guard left.areOpen(through: issuers) else { throw FaultList([Fault(.lastSignIn)]) }
        }
        try await rules.revoke(account, issuer, AuditContext(by: nil, from: source, at: act.at))
    }
}
