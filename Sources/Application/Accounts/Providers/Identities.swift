public import Accounts
import GradingKit
public import Shared

/// The use cases of the identities at providers that an account is linked with, for its owner.
public struct Identities: Sendable {
    let store: any AccountStore
    let providers: [any IdentityProvider]
    let clock: WallClock

    /// Returns an account's identities, and whether it has a password.
    public func list(of account: AccountID) async throws -> (identities: [LinkedIdentity], hasPassword: Bool) {
        (try await store.identities(of: account), try await store.password(of: account) != nil)
    }

    /// Returns the provider of an identity; `nil` if no configured provider has its issuer.
    public func provider(of identity: LinkedIdentity) -> ProviderID? { provider(of: identity.issuer) }

    /// Returns the provider of an issuer; `nil` if no configured provider has it.
    func provider(of issuer: String) -> ProviderID? { providers.first { $0.issuer == issuer }?.id }

    /// Removes the link with a provider's identity, and ends the other sessions opened with it. A provider that is no
    /// longer configured is named by its issuer.
    public func unlink(_ provider: String, of signedIn: SignedIn, from source: String) async throws {
        let issuer = providers.first { $0.id.text == provider }?.issuer ?? provider
        try await unlink(issuer: issuer, from: signedIn.account, keeping: signedIn.session, from: source)
    }

    /// Removes a link; throws `StoreError.notFound` if there is none, and a `FaultList` if no way to sign in would
    /// remain.
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
