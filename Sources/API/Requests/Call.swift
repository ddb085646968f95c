import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Shared
import Threads
import Transport
import WebSocket

/// A request that has found its route: what came in, who asks, and from where.
///
/// Of the request itself a route sees only the parameters that it declares, which the API's description lists, and the
/// server's own cookies.
struct Call: Sendable {
    /// What the route takes as a body.
    enum BodyRule: Sendable {
        /// Nothing: a body is not looked at.
        case none
        /// A body, or none, which is read as an empty object.
        case optional
        /// A body.
        case required

        init(_ body: RequestBody?) { self = body.map { $0.isRequired ? .required : .optional } ?? .none }
    }

    private let request: Request
    let parameters: Router<Route>.Parameters
    /// The query and header parameters that the route declares.
    private let declared: ParameterList
    private let bodyRule: BodyRule
    /// What use-cases know of the request. Its conditions are read by ``SignedInCall/conditional()``.
    let context: RequestContext
    /// The session's token, where there is one: what a live ticket stands for.
    let token: SecretToken?
    /// How the request reached the server.
    let arrival: Arrival
    /// The event loop that serves the connection; `nil` where there is none.
    let loop: EventLoop?
    /// Who reads large bodies; `nil` where nothing is held up by reading them on the spot.
    private let bodies: WorkerPool?

    /// The longest JSON, in bytes, that is read on an event loop: whatever it says, that takes a millisecond at most.
    static let longestOnLoop = 16_384

    init(
        request: Request, parameters: Router<Route>.Parameters, declared: ParameterList, takes bodyRule: BodyRule,
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

    /// What follows `Basic` in its `Authorization`; `nil` for another way to authenticate, and for none.
    var basicCredentials: Substring? {
        guard let header = request.headers["Authorization"], header.prefix(5).lowercased() == "basic",
            header.dropFirst(5).first.map({ $0 == " " }) ?? true
        else { return nil }
        return header.dropFirst(6)
    }

    /// Whether the head of the answer alone is wanted.
    var wantsHeadAlone: Bool { request.method == .head }

    /// The address that was asked for, with one parameter of its query in the place of what it was.
    func address(with parameter: Target.QueryItem) -> String {
        let path = request.target.description.prefix { $0 != "?" }
        let query = request.target.query.filter { $0.name != parameter.name } + [parameter]
        return path + "?" + query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    /// A cookie that the server itself has set.
    func cookie(_ name: String) -> SecretToken? { Authenticator.cookie(request, name) }

    /// Who asks.
    var principal: Principal { context.principal }
    /// From where, for limits, throttles and the audit trail.
    var client: Client { context.client }
    /// For whom rates are counted: the account, or the address of a guest.
    var payer: String { principal.account.map { "account \($0)" } ?? client.source }
    /// When it came.
    var now: Timestamp { context.now }
    /// The language of the answer: what the client asks for, else the account's.
    var language: Language { context.language }

    /// A part of the path. Routes ask only for parts that their pattern names.
    subscript(name: String) -> String { parameters[name] ?? "" }

    /// How sessions reach their owner's browser.
    var cookies: SessionCookies { SessionCookies(isSecure: arrival.isSecure) }

    /// The body that the route declares, and its media type without parameters, in lower case.
    func body() throws -> (type: String?, bytes: [UInt8]) {
        guard bodyRule != .none else { throw UndeclaredParameter(name: "body") }
        if let type = request.headers.bytes(of: "Content-Type"), type.elementsEqual(Self.json.utf8) {
            return (Self.json, request.body)
        }
        let type = request.headers["Content-Type"]
        return (type?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }, request.body)
    }

    /// The media type that nearly every body has.
    private static let json = "application/json"

    /// How many bytes the body has, whether or not the route looks at it: what limits count.
    var bodySize: Int { request.body.count }

    /// The body as JSON, an empty object where one that may be left out is; throws 415 for another type and 400 for
    /// anything malformed.
    ///
    /// A large body is read beside the event loop.
    func json() async throws -> JSON {
        guard let bodies, bodySize > Self.longestOnLoop else { return try jsonOnTheSpot() }
        do {
            return try await bodies.run { try jsonOnTheSpot() }
        } catch is WorkRefused {
            throw Problem.unavailable("Too many large requests wait")
        }
    }

    /// The same, for work that is beside the event loops already.
    func jsonOnTheSpot() throws -> JSON {
        let (type, bytes) = try body()
        if bytes.isEmpty, bodyRule == .optional { return [:] }
        guard let type, type == Self.json || type.hasSuffix("+json") else {
            throw Problem.unsupportedMediaType
        }
        return try JSON.parse(bytes)
    }

    /// The most bytes of a form.
    private static let formLimit = 64 << 10

    /// The body as a form, the first value of each name; throws 415 for another type and 400 for anything malformed.
    func form() throws -> [String: String] {
        Dictionary(try formItems().map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The same with every value, in the order in which they were sent.
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

    /// Whether the route declares a parameter.
    func declares<Value>(_ parameter: Parameter<Value>) -> Bool { declared.contains(parameter.description.name) }

    /// The value of a parameter that the route declares; throws for one that cannot be read.
    ///
    /// A parameter that the route does not declare is not read: the API's description would not tell of it.
    func read<Value>(_ parameter: Parameter<Value>) throws -> Value {
        guard declares(parameter) else {
            throw UndeclaredParameter(name: parameter.description.name)
        }
        return try parameter.value(in: request)
    }

    /// Whether the client says which version it has (`If-None-Match`).
    var hasVersion: Bool { request.headers.contains(Header.ifNoneMatch.description.name) }

    /// All values of a parameter that may be repeated.
    func readAll<Value>(_ parameter: Parameter<Value>) throws -> [String] {
        _ = try read(parameter)
        return request.target.query.filter { $0.name == parameter.description.name }.map(\.value)
    }

    /// What a request for a WebSocket says.
    struct Upgrade {
        let handshake: Handshake
        /// The origins of the page that asks; there should be one at most.
        let origins: [String]
        /// Whether the caller has shown a token, and not a cookie.
        let isAuthorized: Bool
    }

    /// The request for a WebSocket; throws a ``Problem`` when it is none.
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

    /// The client's idempotency key over method, path and body.
    func idempotencyKey() throws -> IdempotencyKey? {
        guard let key = try read(Header.idempotencyKey) else { return nil }
        var hash = SHA256()
        hash.update("\(request.method) \(request.target)\n".utf8)
        hash.update(request.body)
        return IdempotencyKey(key: key, digest: hash.finalize())
    }
}

/// A handler asked for a parameter, or a body, that its route does not declare.
struct UndeclaredParameter: Error {
    let name: String
}
