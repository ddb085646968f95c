public import Cryptography
public import Shared

/// The store of the accounts' e-mail addresses.
public protocol EmailStore: Sendable {
    /// Returns an account's address.
    func email(of id: AccountID) async throws -> AccountEmail

    /// Returns the account whose address a link's token confirms; `nil` if there is none.
    func account(confirming token: TokenDigest) async throws -> AccountID?

    /// Changes an account's address; throws `notFound` if the account does not exist.
    ///
    /// - Parameter mail: The kind and the address of the mail to be sent, so that the store finds the times of earlier
    ///   ones; `nil` for none.
    func changeEmail<Value: Sendable>(
        of id: AccountID, sending mail: (kind: Mail.Kind, to: EmailAddress)?, at now: Timestamp,
        _ plan: @escaping @Sendable (EmailSituation) throws -> AccountPlan<Value>
    ) async throws -> Value

    /// Stores a wish for a reset, replacing an earlier one for the same login by the same account and device. Returns
    /// `false` if
    /// ``ResetWish/capacity`` wishes are waiting.
    func note(_ wish: ResetWish) async throws -> Bool

    /// Returns up to `limit` wishes, the oldest first.
    func resetWishes(_ limit: Int) async throws -> [ResetWish]

    /// Answers a wish; `plan` gets `nil` if no account has the login.
    func answer(
        _ wish: ResetWish, at now: Timestamp,
        _ plan: @escaping @Sendable (ResetSituation?) throws -> AccountPlan<Void>
    ) async throws
}
