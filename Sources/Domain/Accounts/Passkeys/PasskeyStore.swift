public import Shared

/// The store of passkeys.
public protocol PasskeyStore: Sendable {
    /// Returns an account's passkeys in the order of their creation.
    func passkeys(of id: AccountID) async throws -> [Passkey]

    /// Returns the passkey with a credential identifier; `nil` if there is none.
    func passkey(credential: [UInt8]) async throws -> Passkey?

    /// Returns the user handle by which authenticators know an account; stores `fresh` if it has none yet.
    func userHandle(of id: AccountID, orElse fresh: [UInt8]) async throws -> [UInt8]

    /// Changes an account's passkeys; throws `StoreError.notFound` if the account does not exist.
    func changePasskeys<Value: Sendable>(
        of id: AccountID, credential: [UInt8]?,
        _ plan: @escaping @Sendable (PasskeySituation) throws -> AccountPlan<Value>
    ) async throws -> Value
}
