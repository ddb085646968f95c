import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Shared
import Threads
import Transport
import WebSocket

/// A request that has been matched to its route, with its caller and where it came from.
///
/// A route can read only the parameters that it declares, so the API's description lists them all, and the server's own
/// cookies.
struct Call: Sendable {
    /// What the route takes as a body.
    enum BodyRule: Sendable {
        /// No body; one that is sent is not looked at.
        case none
        /// A body that may be left out; it then reads as an empty object.
        case optional
        /// A body.
        case required

        init(_ body: RequestBody?) { self = body.map { $0.isRequired ? .required : .optional } ?? .none }
    }

    private let request: Request
    let parameters: RouteParameters
    /// The query and header parameters that the route declares.
    private let declared: ParameterList
    private let bodyRule: BodyRule
    /// The request as use-cases see it, without its conditions; ``SignedInCall/conditional()`` adds those.
    let context: RequestContext
    /// The session's token, which a live ticket stands for; `nil` without a session.
    let token: SecretToken?
    /// How the request reached the server.
    let arrival: Arrival
    /// The event loop that serves the connection; `nil` if there is none.
    let loop: EventLoop?
    /// The threads that parse large bodies; `nil` if parsing them on this thread holds nothing up.
    private let bodies: WorkerPool?

    /// The longest JSON, in bytes, that an event loop parses. Whatever it contains, that takes at most a millisecond.
    static let longestOnLoop = 16_384

    init(
        request: Request, parameters: RouteParameters, declared: ParameterList, takes bodyRule: BodyRule,
        context: RequestContext, token: SecretToken?, arrival: Arrival, on loop: EventLoop? = nil,
        bodies: WorkerPool? = nil
    ) {
        self.request = request
        self.parameters = parameters
        self.declared = declared
        self.bodyRule = bodyRule
        self.context = context
        self.token = token
        self.arrival = arrival
        self.loop = loop
        self.bodies = bodies
    }

    /// The text after `Basic` in `Authorization`; `nil` for another way to authenticate, and for none.
    var basicCredentials: Substring? {
        guard let header = request.headers["Authorization"], header.prefix(5).lowercased() == "basic",
            header.dropFirst(5).first.map({ $0 == " " }) ?? true
        else { return nil }
        return header.dropFirst(6)
    }

    /// Whether the client takes an answer in gzip form.
    var acceptsGZip: Bool { request.headers.hasToken("gzip", in: "Accept-Encoding") }

    /// Whether the client wants only the head of the response.
    var wantsHeadAlone: Bool { request.method == .head }

    /// Returns the address of the request with `parameter` in place of the query's parameters of that name.
    func address(with parameter: Target.QueryItem) -> String { address(with: [parameter]) }

    /// Returns the address of the request with `parameters` in place of the query's parameters of their names.
    func address(with parameters: [Target.QueryItem]) -> String {
        let path = request.target.description.prefix { $0 != "?" }
        let names = Set(parameters.map(\.name))
        let query = request.target.query.filter { !names.contains($0.name) } + parameters
        return path + "?" + query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    /// Returns a cookie that the server itself has set; `nil` if the request lacks it.
    func cookie(_ name: String) -> SecretToken? { Authenticator.cookie(request, name) }

    /// The caller.
    var principal: Principal { context.principal }
    /// Where the request comes from, for limits, throttles and the audit trail.
    var client: Client { context.client }
    /// When the request came.
    var now: Timestamp { context.now }
    /// The language of the answer: what the client asks for, else the account's.
    var language: Language { context.language }

    /// Returns a parameter of the path; empty for one that the route's pattern does not name.
    subscript(name: String) -> String { parameters[name] ?? "" }

    /// The cookies that carry sessions over this kind of connection.
    var cookies: SessionCookies { SessionCookies(isSecure: arrival.isSecure) }

    /// Returns the body and its media type, without parameters and in lower case; throws if the route declares no body.
    func body() throws -> (type: String?, bytes: [UInt8]) {
        guard bodyRule != .none else { throw UndeclaredParameter(name: "body") }
        if let type = request.headers.bytes(of: "Content-Type"), type.elementsEqual(Self.json.utf8) {
            return (Self.json, request.body)
        }
        let type = request.headers["Content-Type"]
        return (type?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }, request.body)
    }

    /// The media type of nearly every body.
    private static let json = "application/json"

    /// The size of the body in bytes, which limits count even if the route does not read it.
    var bodySize: Int { request.body.count }

    /// Returns the body as JSON; an empty object for an optional body that was left out. A large body is parsed off the
    /// event loop.
    ///
    /// - Throws: 415 for another media type, 400 for malformed JSON, 503 if too many large bodies wait.
    func json() async throws -> JSON {
        guard let bodies, bodySize > Self.longestOnLoop else { return try jsonOnTheSpot() }
        do {
            return try await bodies.run { try jsonOnTheSpot() }
        } catch is WorkRefused {
            throw Problem.unavailable("Too many large requests wait")
        }
    }

    /// Returns the body as JSON, parsed on this thread; for work that already runs off the event loops.
    func jsonOnTheSpot() throws -> JSON {
        let (type, bytes) = try body()
        if bytes.isEmpty, bodyRule == .optional { return [:] }
        guard let type, type == Self.json || type.hasSuffix("+json") else {
            throw Problem.unsupportedMediaType
        }
        return try JSON.parse(bytes)
    }

    /// The largest form, in bytes.
    private static let formLimit = 64 << 10

    /// Returns the body as a form, with the first value of each name.
    ///
    /// - Throws: 415 for another media type, 413 for a form that is too large, 400 for a malformed one.
    func form() throws -> [String: String] {
        Dictionary(try formItems().map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Returns all fields of the form, in the order in which they were sent; throws like ``form()``.
    func formItems() throws -> [Target.QueryItem] {
        let (type, bytes) = try body()
        guard type == RequestBody.formType else { throw Problem.unsupportedMediaType }
        guard bytes.count <= Self.formLimit else { throw Problem(.contentTooLarge, "too_large") }
        // A form is written like the query of an address.
        guard let items = try? Target("/?" + String(decoding: bytes, as: UTF8.self)).query else {
            throw Problem.malformed("The form is malformed")
        }
        return items
    }

    /// Returns whether the route declares a parameter.
    func declares<Value>(_ parameter: Parameter<Value>) -> Bool { declared.contains(parameter.description.name) }

    /// Returns the value of a parameter that the route declares; throws if it cannot be parsed.
    ///
    /// Throws also for a parameter that the route does not declare, because the API's description would not list it.
    func read<Value>(_ parameter: Parameter<Value>) throws -> Value {
        guard declares(parameter) else {
            throw UndeclaredParameter(name: parameter.description.name)
        }
        return try parameter.value(in: request)
    }

    /// Whether the client names the version that it has (`If-None-Match`).
    var hasVersion: Bool { request.headers.contains(Header.ifNoneMatch.description.name) }

    /// Returns all values of a query parameter that may be repeated.
    func readAll<Value>(_ parameter: Parameter<Value>) throws -> [String] {
        _ = try read(parameter)
        return request.target.query.filter { $0.name == parameter.description.name }.map(\.value)
    }

    /// A request to open a WebSocket.
    struct Upgrade {
        let handshake: Handshake
        /// The origins of the page that makes the request; there should be at most one.
        let origins: [String]
        /// Whether the caller authenticates with `Authorization` rather than a cookie.
        let isAuthorized: Bool
    }

    /// Returns the request to open a WebSocket; throws a ``Problem`` if the handshake is not valid.
    func upgrade() throws -> Upgrade {
        do throws(Handshake.Fault) {
            return Upgrade(
                handshake: try Handshake(request.head), origins: request.headers.values("Origin"),
                isAuthorized: request.headers.contains("Authorization"))
        } catch {
            var problem = Problem(error.status, "malformed", "\(error)")
            if error == .version { problem.headers.set("Sec-WebSocket-Version", "13") }
            throw problem
        }
    }

    /// Returns the client's idempotency key with a digest of method, target and body; `nil` without a key.
    func idempotencyKey() throws -> IdempotencyKey? {
        guard let key = try read(Header.idempotencyKey) else { return nil }
        var hash = SHA256()
        hash.update("\(request.method) \(request.target)\n".utf8)
        hash.update(request.body)
        return IdempotencyKey(key: key, digest: hash.finalize())
    }
}

/// The error of a handler that reads a parameter, or a body, that its route does not declare.
struct UndeclaredParameter: Error {
    let name: String
}
