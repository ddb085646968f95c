public import Accounts
import Shared

/// The administrators' view of the sign-in providers, with trial runs.
public struct ProviderReview: Sendable {
    /// A provider with the result of its trial.
    public struct Finding: Sendable {
        /// The provider, whose catalog words the faults.
        public let provider: any IdentityProvider
        /// The results of the trial's steps.
        public let trial: ProviderTrial
    }

    private let providers: ProviderSignIn
    /// Limits trials, because each sends a few requests to the provider's server.
    private let trials = RateLimiter<AccountID>(10, per: 60, burst: 5)

    /// Creates a review of the configured providers.
    public init(of providers: ProviderSignIn) { self.providers = providers }

    /// Returns the providers in the order of the configuration.
    ///
    /// - Throws: `forbidden` unless the caller is an administrator.
    public func list(_ context: AccountContext) throws -> [any IdentityProvider] {
        guard context.principal.isAdministrator else { throw UseCaseError.forbidden }
        return providers.all
    }

    /// Tries the provider of that name, without signing in a person.
    ///
    /// - Throws: `forbidden` unless the caller is an administrator, `not_found` for an unknown name, and `rate_limited`
    ///   after five trials in quick succession.
    public func tried(_ name: String, _ context: AccountContext) async throws -> Finding {
        guard context.principal.isAdministrator else { throw UseCaseError.forbidden }
        guard let provider = providers[name] else { throw UseCaseError.notFound }
        if let wait = trials.wait(for: context.account, at: context.now) {
            throw UseCaseError.rateLimited(retryAfter: wait)
        }
        return Finding(provider: provider, trial: await provider.trial())
    }
}
