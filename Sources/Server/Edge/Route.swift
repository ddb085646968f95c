import Accounts
import GradingKit
import HTTP
import WebServer

/// One operation of the API, as a value: what it answers to, who may call it, and what goes in and out. The OpenAPI
/// document is written from these, so it cannot lag behind.
struct Route: Sendable {
    /// Who may call it at all. What the caller may do to the particular thing is decided by `authorize`.
    enum Access: String, Sendable {
        /// Anybody.
        case open
        /// Anybody with an account.
        case signedIn
        /// Administrators of the server; to everybody else it does not exist.
        case administrator
    }

    let method: Method
    let pattern: String
    let access: Access
    /// One line on what it does.
    let summary: String
    /// The members of the request's body.
    let input: Schema?
    /// The status of success, and what its body is.
    let success: (status: Int, body: Schema?)
    /// The greatest body, in bytes.
    let bodyLimit: Int
    let handle: @Sendable (Call) async throws -> Reply

    /// A route that answers with a whole response.
    init(
        _ method: Method, _ pattern: String, _ access: Access, _ summary: String, takes input: Schema? = nil,
        answers status: Int = 200, _ output: Schema? = nil, bodyLimit: Int = 1 << 20,
        handle: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.summary = summary
        self.input = input
        success = (status, output)
        self.bodyLimit = bodyLimit
        self.handle = { .response(try await handle($0)) }
    }

    /// A route whose answer may come in pieces.
    private init(
        _ method: Method, _ pattern: String, _ access: Access, _ summary: String,
        reply: @escaping @Sendable (Call) async throws -> Reply
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.summary = summary
        input = nil
        success = (200, nil)
        bodyLimit = 0
        handle = reply
    }

    /// Open to everybody.
    static func open(
        _ method: Method, _ pattern: String, _ summary: String, takes input: Schema? = nil,
        answers status: Int = 200, _ output: Schema? = nil,
        handle: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        Route(method, pattern, .open, summary, takes: input, answers: status, output, handle: handle)
    }

    /// For whoever has signed in.
    static func signedIn(
        _ method: Method, _ pattern: String, _ summary: String, takes input: Schema? = nil,
        answers status: Int = 200, _ output: Schema? = nil, bodyLimit: Int = 1 << 20,
        handle: @escaping @Sendable (SignedInCall) async throws -> Response
    ) -> Route {
        Route(
            method, pattern, .signedIn, summary, takes: input, answers: status, output, bodyLimit: bodyLimit
        ) { call in
            try await handle(SignedInCall(call))
        }
    }

    /// Something for administrators of the server to keep, sent as it is read.
    static func download(
        _ pattern: String, _ summary: String, reply: @escaping @Sendable (SignedInCall) async throws -> Reply
    ) -> Route {
        Route(.get, pattern, .administrator, summary) { try await reply(administratorCall($0)) }
    }

    private static func administratorCall(_ call: Call) throws -> SignedInCall {
        let call = try SignedInCall(call)
        guard call.signedIn.isAdministrator else { throw Problem.forbidden }
        return call
    }

    /// For administrators of the server.
    static func administrator(
        _ method: Method, _ pattern: String, _ summary: String, takes input: Schema? = nil,
        answers status: Int = 200, _ output: Schema? = nil,
        handle: @escaping @Sendable (SignedInCall) async throws -> Response
    ) -> Route {
        Route(method, pattern, .administrator, summary, takes: input, answers: status, output) { call in
            try await handle(administratorCall(call))
        }
    }
}

/// Routes that belong together and share the parts they are made of.
protocol RouteGroup: Sendable {
    var routes: [Route] { get }
}
