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

    /// Returns how a use-case answers the call: it repeats the answer that is kept under the call's key, or makes one.
    ///
    /// - Parameters:
    ///   - kept: writes the response to keep, with its revision if it has one.
    ///   - made: writes the response to a request that was carried out.
    func answering<Kept, Made>(
        _ call: SignedInCall, keeping kept: @escaping @Sendable (Kept) -> (response: Response, revision: Revision?),
        _ made: @escaping (Made) async throws -> Response
    ) -> Answering<Kept, Made, Response> {
        Answering { make in
            try await answer(call) { keeper in
                try await made(
                    make { value in
                        guard let keeper else { return nil }
                        let (response, revision) = kept(value)
                        return keeper(response, revision)
                    })
            }
        }
    }

    /// The same for a response that is kept as it is made, without a revision.
    func answering<Made>(
        _ call: SignedInCall, _ response: @escaping @Sendable (Made) -> Response
    ) -> Answering<Made, Made, Response> {
        answering(call, keeping: { (response($0), nil) }, { response($0) })
    }

    /// Repeats the answer that is kept under the call's key, or runs `make`. With a key, even the first answer is the
    /// kept one, unless only a part of it is kept. For use-cases alone: a repeated answer needs the caller's permission
    /// as much as the first one.
    func answer(
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
