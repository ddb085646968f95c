import Accounts
import Application
import HTTP
import Shared

/// Makes responses of the answers that are kept under clients' keys.
struct IdempotentReply: Sendable {
    let answers: IdempotentAnswers

    /// What a request gives to the store, so that its answer is kept with what it makes.
    struct Keeper: Sendable {
        fileprivate let key: IdempotencyKey
        fileprivate let call: SignedInCall

        /// The answer to keep; `nil` for a refusal.
        func callAsFunction(_ response: Response, _ revision: Revision? = nil) -> KeptAnswer? {
            StoredAnswer.Kind(response.status).map { kind in
                KeptAnswer(
                    key: key, account: call.caller, at: call.now,
                    answer: StoredAnswer(kind, body: response.body), revision: revision)
            }
        }
    }

    /// Gives the first answer again, or makes something. What was kept is what is answered, the first time too.
    ///
    /// - Parameter permit: the caller's permit: a kept answer too is for those who may still do what it answers.
    func answer(
        _ call: SignedInCall, under permit: some Permit, _ make: (Keeper?) async throws -> Response
    ) async throws -> Response {
        try await answer(call, make)
    }

    /// The same under a permit for a class, which the store checks with the act.
    func answer(
        _ call: SignedInCall, under permit: ClassPermit, _ make: (Keeper?) async throws -> Response
    ) async throws -> Response {
        try await answer(call, make)
    }

    private func answer(
        _ call: SignedInCall, _ make: (Keeper?) async throws -> Response
    ) async throws -> Response {
        let key = try call.idempotencyKey()
        let answer = try await answers.answer(under: key, of: call.caller, at: call.now) {
            try await make(key.map { Keeper(key: $0, call: call) })
        }
        switch answer {
        case .made(let response): return response
        case .kept(let kept):
            let response = Response.json(Status(kept.answer.kind), bytes: kept.answer.body)
            return kept.revision.map { response.tagged($0) } ?? response
        }
    }
}
