import Accounts
import HTTP
import Shared

/// Gives a request that repeats an idempotency key the answer of the first one, for what the domain's services make.
/// Records have the same in the transaction of their own changes.
struct IdempotentReply: Sendable {
    let answers: any AnswerStore

    /// What a request gives to the store, so that its answer is kept with what it makes.
    struct Keeper: Sendable {
        fileprivate let key: IdempotencyKey
        fileprivate let call: SignedInCall

        /// The answer to keep.
        func callAsFunction(_ response: Response, _ revision: Revision? = nil) -> KeptAnswer {
            KeptAnswer(
                key: key, account: call.caller, at: call.now,
                answer: StoredAnswer(status: response.status.code, body: response.body), revision: revision)
        }
    }

    /// Gives the first answer again, or makes something; whatever it fails of, an answer that is there by then counts.
    /// What was kept is what is answered, the first time too.
    func answer(_ call: SignedInCall, _ make: (Keeper?) async throws -> Response) async throws -> Response {
        guard let key = try call.idempotencyKey() else { return try await make(nil) }
        if let first = try await first(key, call) { return first }
        do {
            let made = try await make(Keeper(key: key, call: call))
            return try await first(key, call) ?? made
        } catch {
            guard let first = try await first(key, call) else { throw error }
            return first
        }
    }

    private func first(_ key: IdempotencyKey, _ call: SignedInCall) async throws -> Response? {
        guard let kept = try await answers.answer(under: key, of: call.caller, at: call.now) else {
            return nil
        }
        let response = Response.json(Status(kept.answer.status), bytes: kept.answer.body)
        return kept.revision.map { response.tagged($0) } ?? response
    }
}
