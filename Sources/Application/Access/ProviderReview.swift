public import Accounts
import Shared

/// What administrators see of the providers that people sign in with, and their trials.
public struct ProviderReview: Sendable {
    /// A provider, and what its trial found.
    public struct Finding: Sendable {
        /// The provider, which words the faults.
        public let provider: any IdentityProvider
        /// How its steps went.
        public let trial: ProviderTrial
    }

    private let providers: ProviderSignIn
    /// Each trial sends a few requests to the provider's server.
    private let trials = RateLimiter<AccountID>(10, per: 60, burst: 5)

    /// Over the providers of the configuration.
    public init(of providers: ProviderSignIn) { self.providers = providers }

    /// The providers in the order of the configuration. Throws `forbidden` unless an administrator asks.
    public func list(_ context: AccountContext) throws -> [any IdentityProvider] {
        guard context.principal.isAdministrator else { throw UseCaseError.forbidden }
        return providers.all
    }

    /// Tries the provider of that name, without a person.
    ///
    /// Throws `forbidden` unless an administrator asks, `not_found` for an unknown name and `rate_limited` for a sixth
    /// trial at once.
    public func tried(_ name: String, _ context: AccountContext) async throws -> Finding {
        guard context.principal.isAdministrator else { throw UseCaseError.forbidden }
        guard let provider = providers[name] else { throw UseCaseError.notFound }
        if let wait = trials.wait(for: context.account, at: context.now) {
            throw UseCaseError.rateLimited(retryAfter: wait)
        }
        return Finding(provider: provider, trial: await provider.trial())
    }
}
