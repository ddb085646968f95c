/// The store of answers under clients' keys. Calls that create something take the answer to store with it.
public protocol AnswerStore: Sendable {
    /// Returns the answer stored under a key; `nil` if the key is new or has expired.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` if the key belongs to another request.
    func answer(under key: IdempotencyKey, of account: AccountID, at now: Timestamp) async throws -> KeptAnswer?
}
