import GradingKit
import HTTP
import Live
import Shared

/// The waiting form of a GET: `Prefer: wait=25` with `If-None-Match`.
struct LongPoll: Sendable {
    /// The longest wait, in seconds.
    static let longest = 60

    let service: LiveService

    /// The final answer to a client that has the newest version; `nil` if the client does not ask to wait for another
    /// one.
    func answer(_ topic: Topic, after revision: Revision, to call: SignedInCall) async throws -> Response? {
        guard let seconds = try call.read(Header.wait) else { return nil }
        guard let identity = LiveIdentity(call.principal) else { throw Problem.unauthenticated }
        let outcome = try await newer(topic, than: revision, for: identity, within: .seconds(seconds))
        switch outcome {
        case .document(let document): return Response.json(bytes: document.bytes).tagged(document.revision)
        case .rows(let rows, let since): return .rows(rows, since: since, of: call)
        case .unchanged: return .notModified(revision)
        case .refused(let code): throw LiveRefusal(code: code)
        }
    }

    /// Waits as one of the account's live connections; throws a `Problem` if the account may have no more.
    func newer(
        _ topic: Topic, than have: Revision?, for identity: LiveIdentity, within time: Duration
    ) async throws -> LongPollAnswer {
        guard let place = service.admissions.place(for: .account(identity.account)) else {
            throw Problem.tooManyConnections
        }
        return await service.newer(topic, than: have, for: identity, at: place, within: time)
    }
}
