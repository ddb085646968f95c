import Accounts
import Application
import Deadlines
import Forms
import GradingKit
import HTTP
import WebServer

/// One operation of the API, as a value: its method and path, who may call it, and its input and output.
///
/// The OpenAPI document is written from routes, and requests are read through the same values: parameters by
/// ``Call/read(_:)``, bodies by their `RequestForm`. Neither can lag behind the other.
///
/// A class, because it never changes and every request refers to one.
final class Route: Sendable {
    /// Who may call the route at all. What the caller may do to a particular resource is for `authorize` to decide.
    enum Access: String, Sendable {
        /// Everyone.
        case open
        /// Everyone with an account.
        case signedIn
        /// Administrators of the server; everyone else is refused.
        case administrator
    }

    /// Which callers the route serves while they still have to show a second factor, or set one up.
    enum Unfinished: Sendable {
        /// None of them.
        case nobody
        /// Those who have to set one up.
        case enrolling
        /// All of them.
        case everybody
    }

    /// The input and output of a route.
    struct Shape: Sendable {
        /// The query and header parameters that it reads.
        var reads: ParameterList = .none
        /// The body that it takes; `nil` for none.
        var body: RequestBody?
        /// The statuses of success, the most common first.
        var statuses: [Int] = [200]
        /// The schema of success; `nil` if that is not JSON.
        var output: JSONSchema?
        /// Other media types in which it may answer.
        var media: [String] = []
        /// The headers that success may carry.
        var tells: [ResponseHeader] = []
        /// The schemas of errors that are JSON but not problem documents, by status.
        var errors: [Int: JSONSchema] = [:]
        /// Problems in addition to those that follow from the rest of the route.
        var refuses: [ProblemKind] = []
        /// Which callers it serves while they still have to show or set up a second factor.
        var unfinished = Unfinished.nobody
        /// Whether programs authenticate to it with an id and a secret by HTTP Basic, which the handler checks itself.
        var takesClients = false
        /// Whether clients call it without their people, as to open live connections, so that it does not move the idle
        /// end of a session.
        var isUnattended = false
    }

    /// The largest body, in bytes, of a request whose body is not read: enough for the empty object of a client that
    /// always sends one. It stays in memory until the answer, which may take as long as a long poll waits.
    private static let greatestUnreadBody = 4_096

    let method: Method
    let pattern: String
    let access: Access
    /// One line on what it does.
    let summary: String
    /// What a token needs to call it.
    let scope: RouteScope
    let shape: Shape
    /// The largest body, in bytes.
    let bodyLimit: Int
    let handle: @Sendable (Call) async throws -> Reply

    /// Whether its answer may wait for a change (a long poll).
    var mayWait: Bool { shape.reads.contains(Header.wait.description.name) }

    /// The names of the parameters in its path.
    var pathParameters: [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Creates a route that answers with a complete response.
    convenience init(
        _ method: Method, _ pattern: String, _ access: Access, _ summary: String, scope: RouteScope,
        _ shape: Shape = Shape(), bodyLimit: Int = 1 << 20, handle: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.init(
            method, pattern, access, summary, scope: scope, shape, bodyLimit: bodyLimit,
            reply: { .response(try await handle($0)) })
    }

    private init(
        _ method: Method, _ pattern: String, _ access: Access, _ summary: String, scope: RouteScope, _ shape: Shape,
        bodyLimit: Int,
        reply: @escaping @Sendable (Call) async throws -> Reply
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.summary = summary
        self.scope = scope
        self.shape = shape
        self.bodyLimit = shape.body == nil ? min(bodyLimit, Self.greatestUnreadBody) : bodyLimit
        handle = reply
    }
}

extension Route {
    /// Returns a route that is open to everyone.
    static func open(
        _ method: Method, _ pattern: String, _ summary: String, scope: RouteScope,
        reads parameters: ParameterList = .none,
        takes body: RequestBody? = nil, answers status: Int = 200, _ output: JSONSchema? = nil,
        also others: [Int] = [], media: [String] = [], tells headers: [ResponseHeader] = [],
        refuses problems: [ProblemKind] = [],
        handle: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        let shape = Shape(
            reads: parameters, body: body, statuses: [status] + others, output: output, media: media,
            tells: headers, refuses: problems)
        return Route(method, pattern, .open, summary, scope: scope, shape, handle: handle)
    }

    /// Returns a route for programs that show an id and a secret, by HTTP Basic or in the body.
    static func client(
        _ method: Method, _ pattern: String, _ summary: String, takes body: RequestBody, _ output: JSONSchema,
        tells headers: [ResponseHeader] = [], errors: [Int: JSONSchema],
        handle: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        let shape = Shape(
            body: body, output: output, tells: headers, errors: errors, unfinished: .everybody, takesClients: true)
        return Route(method, pattern, .open, summary, scope: .session, shape, bodyLimit: 8_192, handle: handle)
    }

    /// Returns a route for callers who have signed in.
    static func signedIn(
        _ method: Method, _ pattern: String, _ summary: String, scope: RouteScope,
        reads parameters: ParameterList = .none,
        takes body: RequestBody? = nil, answers status: Int = 200, _ output: JSONSchema? = nil,
        also others: [Int] = [], media: [String] = [], tells headers: [ResponseHeader] = [],
        refuses problems: [ProblemKind] = [], bodyLimit: Int = 1 << 20,
        handle: @escaping @Sendable (SignedInCall) async throws -> Response
    ) -> Route {
        let shape = Shape(
            reads: parameters, body: body, statuses: [status] + others, output: output, media: media,
            tells: headers, refuses: problems)
        return Route(method, pattern, .signedIn, summary, scope: scope, shape, bodyLimit: bodyLimit) { call in
            try await handle(SignedInCall(call))
        }
    }

    /// Returns a route for administrators of the server.
    static func administrator(
        _ method: Method, _ pattern: String, _ summary: String, scope: RouteScope,
        reads parameters: ParameterList = .none,
        takes body: RequestBody? = nil, answers status: Int = 200, _ output: JSONSchema? = nil,
        tells headers: [ResponseHeader] = [], refuses problems: [ProblemKind] = [],
        handle: @escaping @Sendable (SignedInCall) async throws -> Response
    ) -> Route {
        let shape = Shape(
            reads: parameters, body: body, statuses: [status], output: output, tells: headers, refuses: problems)
        return Route(method, pattern, .administrator, summary, scope: scope, shape) { call in
            try await handle(administratorCall(call))
        }
    }

    /// Returns a route, open to everyone, that turns the connection into a live one.
    static func channel(
        _ pattern: String, _ summary: String, scope: RouteScope, reads parameters: ParameterList = .none,
        answers status: Int = 200,
        media: [String] = [], refuses problems: [ProblemKind] = [],
        reply: @escaping @Sendable (Call) async throws -> Reply
    ) -> Route {
        let shape = Shape(reads: parameters, statuses: [status], media: media, refuses: problems, isUnattended: true)
        return Route(.get, pattern, .open, summary, scope: scope, shape, bodyLimit: 0, reply: reply)
    }

    /// Returns a route for a long document, which is sent as it is read.
    static func download(
        _ pattern: String, _ access: Access, _ summary: String, scope: RouteScope,
        reads parameters: ParameterList = .none,
        _ output: JSONSchema? = nil, media: [String] = [], refuses problems: [ProblemKind] = [],
        reply: @escaping @Sendable (SignedInCall) async throws -> Reply
    ) -> Route {
        let shape = Shape(reads: parameters, output: output, media: media, refuses: problems)
        return Route(.get, pattern, access, summary, scope: scope, shape, bodyLimit: greatestUnreadBody) { call in
            try await reply(access == .administrator ? administratorCall(call) : SignedInCall(call))
        }
    }

    /// Returns the same route for callers who have recently proven their identity; others who may call it get
    /// `step_up_required`.
    ///
    /// A token never proves an identity: a call that needs the proof requires a session.
    ///
    /// - Parameters:
    ///   - takesTokens: whether a token needs no proof, because its scope was made for the route.
    ///   - addsWay: whether the route adds a way to prove one's identity; see ``Proofs/require(of:toAddWay:)``.
    ///   - isDangerous: which calls need the proof.
    func proven(
        by proofs: Proofs, takesTokens: Bool = false, toAddWay addsWay: Bool = false,
        where isDangerous: @escaping @Sendable (Call) async throws -> Bool = { _ in true }
    ) -> Route {
        var shape = shape
        shape.refuses.append(.stepUpRequired)
        if case .scope = scope, !takesTokens { shape.refuses.append(.sessionRequired) }
        return Route(method, pattern, access, summary, scope: scope, shape, bodyLimit: bodyLimit) {
            [access, handle] call in
            let caller = try access == .administrator ? Self.administratorCall(call) : SignedInCall(call)
            let isExempt = takesTokens && call.principal.signedIn == nil
            if !isExempt, try await isDangerous(call) {
                try await proofs.require(of: caller.signedIn, toAddWay: addsWay)
            }
            return try await handle(call)
        }
    }

    /// Returns the same route, which also serves callers who still have to show or set up a second factor.
    func serving(_ unfinished: Unfinished) -> Route {
        var shape = shape
        shape.unfinished = unfinished
        return Route(method, pattern, access, summary, scope: scope, shape, bodyLimit: bodyLimit, reply: handle)
    }

    /// The same route, which clients call without their people: it does not move the idle end of a session.
    var unattended: Route {
        var shape = shape
        shape.isUnattended = true
        return Route(method, pattern, access, summary, scope: scope, shape, bodyLimit: bodyLimit, reply: handle)
    }

    /// The same route without a deadline. Its credentials work once, so a request that was cancelled half way could not
    /// be repeated.
    var untilItIsDone: Route {
        Route(method, pattern, access, summary, scope: scope, shape, bodyLimit: bodyLimit) { [handle] call in
            try await Deadline.$current.withValue(nil) { try await handle(call) }
        }
    }

    /// Checks that the route serves the caller.
    ///
    /// - Throws: ``EnrolmentRequired`` for a session that first has to show a second factor or set one up, and for a
    ///   token that was made without one.
    func admit(_ principal: Principal) throws {
        guard let enrolment = principal.enrolment else { return }
        switch shape.unfinished {
        case .everybody: return
        case .enrolling where enrolment.ways.isEmpty: return
        case .enrolling, .nobody: throw EnrolmentRequired(enrolment)
        }
    }

    private static func administratorCall(_ call: Call) throws -> SignedInCall {
        let call = try SignedInCall(call)
        guard call.principal.isAdministrator else { throw Problem.forbidden }
        return call
    }
}

/// Routes that belong together and share the parts they are made of.
protocol RouteGroup: Sendable {
    var routes: [Route] { get }
}
