import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Shared

/// A call by an account, in a session or with a token. A handler that needs an account takes one of these, so that no
/// guest can reach it.
struct SignedInCall: Sendable {
    private let call: Call
    /// The request as use-cases take it, without its conditions.
    let context: AccountContext

    /// Throws 401 if the caller is a guest.
    init(_ call: Call) throws {
        self.call = call
        context = try AccountContext(call.context)
    }

    /// The account that makes the call.
    var caller: AccountID { context.account }

    /// The session of the call; throws `session_required` for a token.
    var signedIn: SignedIn {
        get throws(Problem) {
            guard let signedIn = call.principal.signedIn else { throw .sessionRequired }
            return signedIn
        }
    }

    /// Returns the request with the conditions that its headers state: `If-Match` if the route declares it, and
    /// `Idempotency-Key`.
    func conditional() throws -> AccountContext {
        var request = call.context
        if call.declares(Header.ifMatch) { request.expectedVersion = try call.read(Header.ifMatch) }
        request.idempotencyKey = try call.idempotencyKey()
        return try AccountContext(request)
    }

    /// Returns who acts, for the audit trail.
    func audit(because reason: String? = nil) -> AuditContext { call.context.audit(because: reason) }

    /// The caller.
    var principal: Principal { call.principal }
    /// Where the request comes from, for limits, throttles and the audit trail.
    var client: Client { call.client }
    /// When the request came.
    var now: Timestamp { call.now }
    /// The language of the answer.
    var language: Language { call.language }
    /// The session's token; `nil` for an API token.
    var token: SecretToken? { call.token }
    /// Whether the client takes an answer in gzip form.
    var acceptsGZip: Bool { call.acceptsGZip }
    /// The cookies that carry sessions over this kind of connection.
    var cookies: SessionCookies { call.cookies }
    /// The cookie that the browser got when it left for a provider; `nil` if it sends none.
    var attempt: SecretToken? { call.cookies.attempt(of: call) }
    /// Whether the client wants only the head of the response.
    var wantsHeadAlone: Bool { call.wantsHeadAlone }
    /// A token in a cookie of the browser.
    func cookie(_ name: String) -> SecretToken? { call.cookie(name) }
    /// How many bytes the body has, whether or not the route looks at it.
    var bodySize: Int { call.bodySize }

    /// Returns a parameter of the path; empty for one that the route's pattern does not name.
    subscript(name: String) -> String { call[name] }

    /// Returns the body and its media type; throws if the route declares no body.
    func body() throws -> (type: String?, bytes: [UInt8]) { try call.body() }

    /// Returns the body as JSON; a large one is parsed off the event loop.
    func json() async throws -> JSON { try await call.json() }

    /// Returns the body as JSON, parsed on this thread; for work that already runs off the event loops.
    func jsonOnTheSpot() throws -> JSON { try call.jsonOnTheSpot() }

    /// Returns the value of a parameter that the route declares.
    func read<Value>(_ parameter: Parameter<Value>) throws -> Value { try call.read(parameter) }

    /// Returns the client's idempotency key with a digest of method, target and body; `nil` without a key.
    func idempotencyKey() throws -> IdempotencyKey? { try call.idempotencyKey() }

    /// Whether the client names the version that it has.
    var hasVersion: Bool { call.hasVersion }

    /// Returns whether the client already has this revision.
    func has(_ revision: Revision) throws -> Bool { try call.has(revision) }

    /// Returns a versioned document, or 304 if the client already has it.
    func document(_ bytes: @autoclosure () -> [UInt8], at revision: Revision) throws -> Response {
        try call.document(bytes(), at: revision)
    }
}

extension SignedInCall: ListCall {
    func nextPage(after cursor: String) -> String { call.nextPage(after: cursor) }
}
