public import Shared

/// How a use-case answers a request that may come again under a client's key: with the answer that is kept under the
/// key, or by carrying the request out. A use-case asks it only once the caller is known to be allowed, because a
/// repeated answer needs the permission as much as the first one.
///
/// `Kept` is what the answer to keep is made of, `Made` the result of the use-case, and `Reply` what its caller gets.
public struct Answering<Kept, Made, Reply> {
    /// Makes the answer to store with the change; `nil` for a request without a key.
    public typealias Keep = @Sendable (Kept) -> KeptAnswer?
    /// Carries out the request.
    public typealias Make = (_ keep: @escaping Keep) async throws -> Made

    private let answer: (_ make: Make) async throws -> Reply

    /// Creates a way to answer.
    public init(_ answer: @escaping (_ make: Make) async throws -> Reply) { self.answer = answer }

    func callAsFunction(_ make: Make) async throws -> Reply { try await answer(make) }
}

/// The answers to requests that repeat a client's key: each gets the first answer again, for whatever the domain's
/// services create. Record changes store their answers in their own transactions.
public struct IdempotentAnswers: Sendable {
    /// The answer to a request.
    public enum Answer<Made: Sendable>: Sendable {
        /// The new value, for a request without a key.
        case made(Made)
        /// The answer stored under the key, even for the first request, unless only facts of it are stored.
        case kept(KeptAnswer)
    }

    private let store: any AnswerStore

    /// Creates the service over a store of answers.
    init(store: any AnswerStore) { self.store = store }

    /// Returns the stored answer, or calls `make`, which stores its answer under the key. If `make` fails but another
    /// request has stored an answer by then, returns that answer.
    public func answer<Made: Sendable>(
        under key: IdempotencyKey?, of account: AccountID, at now: Timestamp, _ make: () async throws -> Made
    ) async throws -> Answer<Made> {
        guard let key else { return .made(try await make()) }
        if let first = try await store.answer(under: key, of: account, at: now) { return .kept(first) }
        do {
            let made = try await make()
            let kept = try await store.answer(under: key, of: account, at: now)
            // Of an answer of which only facts are kept, the first caller gets more than those who repeat the request.
            return kept.flatMap { $0.answer.facts == nil ? .kept($0) : nil } ?? .made(made)
        } catch {
            guard let first = try await store.answer(under: key, of: account, at: now) else { throw error }
            return .kept(first)
        }
    }
}
