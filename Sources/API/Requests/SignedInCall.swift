import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Shared

/// A call by an account: in a session, or with a token. A handler that needs an account takes one of these, so that it
/// cannot be called without.
struct SignedInCall: Sendable {
    private let call: Call
    /// The request as use-cases take it, without its conditions.
    let context: AccountContext

    /// Throws 401 for a guest.
    init(_ call: Call) throws {
        self.call = call
        context = try AccountContext(call.context)
    }

    /// The account that calls.
    var caller: AccountID { context.account }

    /// The session in which it calls; throws `session_required` for a token.
    var signedIn: SignedIn {
        get throws(Problem) {
            guard let signedIn = call.principal.signedIn else { throw .sessionRequired }
            return signedIn
        }
    }

    /// The request with the conditions that its headers state: `If-Match` where the route declares it, and
    /// `Idempotency-Key`.
    func conditional() throws -> AccountContext {
        var request = call.context
        if call.declares(Header.ifMatch) { request.expectedVersion = try call.read(Header.ifMatch) }
        request.idempotencyKey = try call.idempotencyKey()
        return try AccountContext(request)
    }

    /// Who acts, for the audit trail.
    func audit(because reason: String? = nil) -> AuditContext { call.context.audit(because: reason) }

    /// Who acts, under a permit: nothing is stored once what it rests on has changed.
    func audit(under permit: some Permit) -> AuditContext { audit().resting(on: permit.grounds.list) }

    /// Who asks.
    var principal: Principal { call.principal }
    /// From where, for limits, throttles and the audit trail.
    var client: Client { call.client }
    /// When it came.
    var now: Timestamp { call.now }
    /// The language of the answer.
    var language: Language { call.language }
    /// The session's token; `nil` for an API token.
    var token: SecretToken? { call.token }
    /// How sessions reach their owner's browser.
    var cookies: SessionCookies { call.cookies }
    /// What the browser shows of a sign-in that is under way.
    var attempt: SecretToken? { call.cookies.attempt(of: call) }
    /// Whether the head of the answer alone is wanted.
    var wantsHeadAlone: Bool { call.wantsHeadAlone }
    /// A token in a cookie of the browser.
    func cookie(_ name: String) -> SecretToken? { call.cookie(name) }
    /// How many bytes the body has, whether or not the route looks at it.
    var bodySize: Int { call.bodySize }

    /// A part of the path. Routes ask only for parts that their pattern names.
    subscript(name: String) -> String { call[name] }

    /// The body that the route declares, and its media type.
    func body() throws -> (type: String?, bytes: [UInt8]) { try call.body() }

    /// The body as JSON; a large one is read beside the event loop.
    func json() async throws -> JSON { try await call.json() }

    /// The same, for work that is beside the event loops already.
    func jsonOnTheSpot() throws -> JSON { try call.jsonOnTheSpot() }

    /// The value of a parameter that the route declares.
    func read<Value>(_ parameter: Parameter<Value>) throws -> Value { try call.read(parameter) }

    /// The client's idempotency key over method, path and body.
    func idempotencyKey() throws -> IdempotencyKey? { try call.idempotencyKey() }

    /// Whether the client says which version it has.
    var hasVersion: Bool { call.hasVersion }

    /// Whether the client has this version already.
    func has(_ revision: Revision) throws -> Bool { try call.has(revision) }

    /// A versioned document, or 304 when the client has it.
    func document(_ bytes: @autoclosure () -> [UInt8], at revision: Revision) throws -> Response {
        try call.document(bytes(), at: revision)
    }
}

extension SignedInCall: ListCall {
    func nextPage(after cursor: String) -> String { call.nextPage(after: cursor) }
}
