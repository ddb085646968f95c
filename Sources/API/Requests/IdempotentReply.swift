import Accounts
import Application
import Gradebook
import HTTP
import Shared

/// Answers repeated requests with the answers that are kept under clients' keys.
struct IdempotentReply: Sendable {
    let answers: IdempotentAnswers

    /// Wraps the answer for the store, which keeps it together with the change.
    struct Keeper: Sendable {
        fileprivate let key: IdempotencyKey
        fileprivate let call: SignedInCall

        /// Returns the answer to keep; `nil` for a refusal.
        ///
        /// - Parameter facts: what is kept in place of the body; see ``StoredAnswer/facts``.
        func callAsFunction(
            _ response: Response, _ revision: Revision? = nil, facts: [UInt8]? = nil
        ) -> KeptAnswer? {
            StoredAnswer.Kind(response.status).map { kind in
                KeptAnswer(
                    key: key, account: call.caller, at: call.now,
                    answer: StoredAnswer(kind, body: response.body, facts: facts), revision: revision)
            }
        }

        /// Returns the answer to an act of cells to keep: of many refused cells only the first in full.
        func callAsFunction(_ outcome: ActOutcome<CellsAnswer>, _ call: SignedInCall) -> KeptAnswer? {
            self(ClassRoutes.answer(outcome, call), facts: KeptCells.facts(of: outcome, in: call.language))
        }

        /// Returns the answer to a change of the structure to keep.
        func callAsFunction(_ outcome: ActOutcome<StructureAnswer>, _ call: SignedInCall) -> KeptAnswer? {
            self(ClassRoutes.answer(outcome, call))
        }
    }

    /// Repeats the answer that is kept under the call's key, or runs `make`. With a key, even the first answer is the
    /// kept one, unless only a part of it is kept.
    ///
    /// - Parameter permit: the caller's permit; a repeated answer needs it as much as the first one.
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
            let body = kept.answer.facts.map { KeptCells.body($0, in: call.language) } ?? kept.answer.body
            let response = Response.json(Status(kept.answer.kind), bytes: body)
            return kept.revision.map { response.tagged($0) } ?? response
        }
    }
}
