public import Cryptography
public import Shared

/// What second factors need of a store. Each write is one transaction: it finds the rows, asks for a plan and applies it,
/// and what the plan's function throws leaves nothing behind.
public protocol SecondFactorStore: Sendable {
    /// An account's second factor; an empty one where there is none.
    func secondFactor(of id: AccountID) async throws -> SecondFactor

    /// Changes an account's second factor, by what stands there and the account's sessions; `StoreError.notFound`
    /// without such an account.
    func changeSecondFactor<Value: Sendable>(
        of id: AccountID, _ plan: @escaping @Sendable (SecondFactor, [Session]) throws -> AccountPlan<Value>
    ) async throws -> Value

    /// Ends what ``SecondFactorPlans/loss(of:passkeys:identities:sessions:tokens:audit:)`` says; `StoreError.notFound`
    /// without such an account, and where nothing counts as its second factor.
    func endLostFactors(of id: AccountID, audit: AuditEntry) async throws

    /// Stores a sign-in that waits for its second factor, by
    /// ``SecondFactorPlans/issue(_:digest:at:besides:)``.
    func issue(_ challenge: SignInChallenge, digest: TokenDigest, at now: Timestamp) async throws

    /// A sign-in that waits for its second factor; `nil` for one that is over or never was.
    func signInChallenge(_ digest: TokenDigest) async throws -> SignInChallenge?

    /// Answers a challenge; `StoreError.notFound` when it is over.
    func answer<Value: Sendable>(
        _ digest: TokenDigest,
        _ plan: @escaping @Sendable (SignInChallenge, SecondFactor) throws -> AccountPlan<Value>
    ) async throws -> Value
}
