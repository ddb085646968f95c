public import Cryptography
public import Shared

/// The store of second factors. Each write is one transaction that reads the rows, calls the plan's function and
/// applies the plan; if the function throws, nothing is stored.
public protocol SecondFactorStore: Sendable {
    /// Returns an account's second factor; an empty one if it has none.
    func secondFactor(of id: AccountID) async throws -> SecondFactor

    /// Changes an account's second factor by a plan from the stored one and the account's sessions; throws
    /// `StoreError.notFound` if the account does not exist.
    func changeSecondFactor<Value: Sendable>(
        of id: AccountID, _ plan: @escaping @Sendable (SecondFactor, [Session]) throws -> AccountPlan<Value>
    ) async throws -> Value

    /// Applies ``SecondFactorPlans/loss(of:passkeys:identities:sessions:tokens:audit:)``; throws `StoreError.notFound`
    /// if the account does not exist or nothing counts as its second factor.
    func endLostFactors(of id: AccountID, audit: AuditEntry) async throws

    /// Stores a sign-in that waits for its second factor, by
    /// ``SecondFactorPlans/issue(_:digest:at:besides:)``.
    func issue(_ challenge: SignInChallenge, digest: TokenDigest, at now: Timestamp) async throws

    /// Returns a sign-in that waits for its second factor; `nil` if there is none.
    func signInChallenge(_ digest: TokenDigest) async throws -> SignInChallenge?

    /// Applies the plan of an answer to a challenge; throws `StoreError.notFound` if there is no such challenge.
    func answer<Value: Sendable>(
        _ digest: TokenDigest,
        _ plan: @escaping @Sendable (SignInChallenge, SecondFactor) throws -> AccountPlan<Value>
    ) async throws -> Value
}
