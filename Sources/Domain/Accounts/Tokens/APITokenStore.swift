public import Cryptography
public import Shared

/// The store of API tokens.
public protocol APITokenStore: Sendable {
    /// Returns a token and the state of its account at the same moment; `nil` if there is none. The caller checks
    /// whether it has expired.
    func apiToken(_ digest: TokenDigest) async throws -> TokenStanding?

    /// Returns a token of an account in the same way.
    func apiToken(_ id: APITokenID, of account: AccountID) async throws -> TokenStanding?

    /// Returns an account's tokens in the order of their creation.
    func apiTokens(of id: AccountID) async throws -> [APIToken]

    /// Changes an account's tokens; throws `StoreError.notFound` if the account does not exist.
    func changeAPITokens<Value: Sendable>(
        of id: AccountID, _ plan: @escaping @Sendable (TokenSituation) throws -> AccountPlan<Value>
    ) async throws -> Value
}
