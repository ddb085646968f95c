import Accounts
import Deadlines
import Forms
import GradingKit
import HTTP
import WebServer

/// One operation of the API, as a value: what it answers to, who may call it, and what goes in and out.
///
/// The OpenAPI document is written from these, and the code that reads a request goes through the same values, so
/// neither can lag behind the other: parameters are read through ``Call/read(_:)``, bodies through their `RequestForm`.
///
/// An object, because it never changes, and every request refers to one.
final class Route: Sendable {
    /// Who may call it at all. What the caller may do to the particular thing is decided by `authorize`.
    enum Access: String, Sendable {
        /// Anybody.
        case open
        /// Anybody with an account.
        case signedIn
        /// Administrators of the server; to everybody else it does not exist.
        case administrator
    }

    /// Whom it serves of those whose session or token may do nothing before a second factor was shown, or was set up.
    enum Unfinished: Sendable {
        /// None of them.
        case nobody
        /// Those who have to set one up.
        case enrolling
        /// All of them.
        case everybody
    }

    /// What goes in and out.
    struct Shape: Sendable {
        /// The query and header parameters that it reads.
        var reads: ParameterList = .none
        /// What its body may be; `nil` for none.
        var body: RequestBody?
        /// The statuses of success, the usual one first.
        var statuses: [Int] = [200]
        /// The JSON of success; `nil` where there is no JSON.
        var output: JSONSchema?
        /// Other types in which it may answer.
        var media: [String] = []
        /// The headers that success may carry.
        var tells: [ResponseHeader] = []
        /// The JSON of errors that are no problem documents, by their statuses.
        var errors: [Int: JSONSchema] = [:]
        /// The problems that do not follow from what it reads.
        var refuses: [ProblemKind] = []
        /// Whom it serves of those whose session or token is not finished.
        var unfinished = Unfinished.nobody
        /// Whether programs show an id and a secret to it by HTTP Basic, which it looks at itself.
        var takesClients = false
    }

    /// The greatest body, in bytes, of a request whose body is not read: an empty object from a client that always
    /// sends one. It is kept until the answer, which may take as long as a long poll waits.
    private static let greatestUnreadBody = 4_096

    let method: Method
    let pattern: String
    let access: Access
    /// One line on what it does.
    let summary: String
    /// What a token needs for it.
    let scope: RouteScope
    let shape: Shape
    /// The greatest body, in bytes.
    let bodyLimit: Int
    let handle: @Sendable (Call) async throws -> Reply

    /// Whether its answer may wait for something to happen.
    var mayWait: Bool { shape.reads.contains(Header.wait.description.name) }

    /// The names of the parts of the path that it takes.
    var pathParameters: [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// A route that answers with a whole response.
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
    /// Open to everybody.
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

    /// For programs that show an id and a secret, by HTTP Basic or in the body.
    static func client(
        _ method: Method, _ pattern: String, _ summary: String, takes body: RequestBody, _ output: JSONSchema,
        tells headers: [ResponseHeader] = [], errors: [Int: JSONSchema],
        handle: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        let shape = Shape(
            body: body, output: output, tells: headers, errors: errors, unfinished: .everybody, takesClients: true)
        return Route(method, pattern, .open, summary, scope: .session, shape, bodyLimit: 8_192, handle: handle)
    }

    /// For callers who have signed in.
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

    /// For administrators of the server.
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

    /// A live connection, open to everybody: what the answer becomes rather than what it says.
    static func channel(
        _ pattern: String, _ summary: String, scope: RouteScope, reads parameters: ParameterList = .none,
        answers status: Int = 200,
        media: [String] = [], refuses problems: [ProblemKind] = [],
        reply: @escaping @Sendable (Call) async throws -> Reply
    ) -> Route {
        let shape = Shape(reads: parameters, statuses: [status], media: media, refuses: problems)
        return Route(.get, pattern, .open, summary, scope: scope, shape, bodyLimit: 0, reply: reply)
    }

    /// Something long to keep, sent as it is read.
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

    /// The same route for callers who have shown lately who they are; others are answered `step_up_required`, once they
    /// may call it at all.
    ///
    /// A token never shows that: where the call needs it, a session is required.
    ///
    /// - Parameters:
    ///   - takesTokens: whether a token does without, because its scope was made for the route.
    ///   - addsWay: whether it adds a way to show who one is; see ``Proofs/require(of:toAddWay:)``.
    ///   - isDangerous: which of its calls need that.
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

    /// The same route also for those whose session or token may do nothing before a second factor was shown or set up.
    func serving(_ unfinished: Unfinished) -> Route {
        var shape = shape
        shape.unfinished = unfinished
        return Route(method, pattern, access, summary, scope: scope, shape, bodyLimit: bodyLimit, reply: handle)
    }

    /// The same route without a deadline. What it takes counts once, so a request that was given up half way could not be
    /// repeated.
    var untilItIsDone: Route {
        Route(method, pattern, access, summary, scope: scope, shape, bodyLimit: bodyLimit) { [handle] call in
            try await Deadline.$current.withValue(nil) { try await handle(call) }
        }
    }

    /// Throws ``EnrolmentRequired`` for a session that has to show a second factor or set one up first, and for a token
    /// that was made without one.
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
