public import Shared

/// Gives a request that repeats a client's key the answer of the first one, for what the domain's services make.
/// Records have the same in the transaction of their own changes.
public struct IdempotentAnswers: Sendable {
    /// What a request is answered with.
    public enum Answer<Made: Sendable>: Sendable {
        /// What was made, by a request without a key.
        case made(Made)
        /// What is kept under the key, the first time too.
        case kept(KeptAnswer)
    }

    private let store: any AnswerStore

    /// Answers that are kept in this store.
    init(store: any AnswerStore) { self.store = store }

    /// Gives the first answer again, or makes something, which keeps its answer under the key; whatever it fails of, an
    /// answer that is there by then counts.
    public func answer<Made: Sendable>(
        under key: IdempotencyKey?, of account: AccountID, at now: Timestamp, _ make: () async throws -> Made
    ) async throws -> Answer<Made> {
        guard let key else { return .made(try await make()) }
        if let first = try await store.answer(under: key, of: account, at: now) { return .kept(first) }
        do {
            let made = try await make()
            return try await store.answer(under: key, of: account, at: now).map { .kept($0) } ?? .made(made)
        } catch {
            guard let first = try await store.answer(under: key, of: account, at: now) else { throw error }
            return .kept(first)
        }
    }
}
