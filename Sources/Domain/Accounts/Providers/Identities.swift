import Messages
public import Shared

/// Who, besides a password, vouches for an account; for its owner.
public struct Identities: Sendable {
    let store: any AccountStore
    let providers: [any IdentityProvider]
    let clock: WallClock

    /// An account's identities, and whether it has a password.
    public func list(of account: AccountID) async throws -> (identities: [LinkedIdentity], hasPassword: Bool) {
        (try await store.identities(of: account), try await store.password(of: account) != nil)
    }

    /// The provider that vouches for an identity; `nil` when the configuration names none of that issuer.
    public func provider(of identity: LinkedIdentity) -> ProviderID? { provider(of: identity.issuer) }

    /// The provider of an issuer; `nil` when the configuration names none.
    func provider(of issuer: String) -> ProviderID? { providers.first { $0.issuer == issuer }?.id }

    /// Ends the link to a provider's person, with the other sessions that were opened through it. A provider that the
    /// configuration no longer names goes by its issuer.
    public func unlink(_ provider: String, of signedIn: SignedIn, from source: String) async throws {
        let issuer = providers.first { $0.id.text == provider }?.issuer ?? provider
        try await unlink(issuer: issuer, from: signedIn.account, keeping: signedIn.session, from: source)
    }

    /// Ends a link; `StoreError.notFound` when there is none, and a `FaultList` if no way to sign in would remain.
    func unlink(
        issuer: String, from account: AccountID, keeping session: SessionID? = nil, from source: String
    ) async throws {
        let act = AuditContext(by: account, from: source, at: clock.now)
        let issuers = Set(providers.map(\.issuer))
        try await store.unlink(issuer: issuer, from: account, keeping: session, by: act) { left in
            guard left.areOpen(through: issuers) else { throw FaultList([Fault(.lastSignIn)]) }
        }
    }
}
