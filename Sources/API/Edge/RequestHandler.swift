import Accounts
import Application
import Cryptography
import Deadlines
import GradingKit
import HTTP
import Observability
import Shared
import Threads
import Transport
import WebServer

/// The application as the web server sees it: finds the route, authenticates the caller, lets the route answer, and
/// turns every error into a problem document.
///
/// A class, because it never changes and every request in progress refers to it.
final class RequestHandler: Responder {
    /// A route with its metrics.
    private struct Served {
        let route: Route
        let traffic: RouteTraffic
    }

    private let router: Router<Served>
    private let door: FrontDoor
    private let authenticator: Authenticator
    private let clock: WallClock
    private let log: Log
    private let requests: RequestLog?
    private let traffic: Traffic
    private let web: WebFiles
    private let broadcaster: CommitBroadcaster
    /// Whether loopback is exempt from rate limits, as in a demonstration.
    private let exemptsLoopback: Bool
    /// How long a request may wait in queues before it fails.
    private let timeout: Duration
    /// The threads that parse large bodies.
    private let bodies: WorkerPool
    /// The smallest body limit of all routes, in bytes. A body within it needs no look-up of its route.
    private let commonBodyLimit: Int

    /// Creates a handler of these routes; throws if the router refuses one of their patterns. `requests` is `nil` if
    /// requests are not logged.
    init(
        _ routes: [Route], door: FrontDoor, authenticator: Authenticator, clock: WallClock, log: Log,
        requests: RequestLog?, traffic: Traffic, web: WebFiles, broadcaster: CommitBroadcaster, exemptsLoopback: Bool,
        timeout: Duration, bodies: WorkerPool
    ) throws {
        var router = Router<Served>()
        for route in routes {
            try router.add(route.method, route.pattern, Served(route: route, traffic: traffic.of(route)))
        }
        self.router = router
        self.door = door
        self.authenticator = authenticator
        self.clock = clock
        self.log = log
        self.requests = requests
        self.traffic = traffic
        self.web = web
        self.broadcaster = broadcaster
        self.exemptsLoopback = exemptsLoopback
        self.timeout = timeout
        self.bodies = bodies
        commonBodyLimit = routes.map(\.bodyLimit).min() ?? 0
    }

    func bodyLimit(for head: RequestHead) -> Int {
        if case .length(let length) = head.framing, length <= commonBodyLimit { return commonBodyLimit }
        guard case .found(let served, _) = router.match(head.method, head.target) else { return 1 << 20 }
        return served.route.bodyLimit
    }

    func respond(to request: Request, on loop: EventLoop) -> Reply {
        let arrival: Arrival
        do {
            arrival = try door.arrival(of: request)
        } catch {
            return .response(refusal(Problem(error) ?? .forbidden, request, nil))
        }
        switch router.match(request.method, request.target) {
        case .found(let served, let parameters):
            let line = line(of: request, arrival, served.route, parameters)
            let work: Reply.Work = { [self] in await answer(served, parameters, request, arrival, line, on: loop) }
            return waits(request, served.route) ? .waiting(work) : .later(work)
        case .notFound:
            if request.target.segments.first != "v1", let page = web.response(to: request) {
                return .response(finishing(page, request, arrival))
            }
            return .response(refusal(.notFound, request, arrival))
        case .methodNotAllowed(let allowed):
            // A page may share its path with a route that providers post to.
            if request.target.segments.first != "v1", let page = web.response(to: request) {
                return .response(finishing(page, request, arrival))
            }
            var problem = Problem(.methodNotAllowed, "method_not_allowed")
            problem.headers.set("Allow", allowed.map(\.description).joined(separator: ", "))
            return .response(refusal(problem, request, arrival))
        case .options(let allowed):
            let methods = allowed.map(\.description).joined(separator: ", ")
            var response = Response(.noContent)
            response.headers.set("Allow", methods)
            authenticator.origins.answerPreflight(request, allowing: methods, in: &response)
            return .response(finishing(response, request, arrival))
        }
    }

    /// Returns whether the answer may wait for a change (a long poll).
    private func waits(_ request: Request, _ route: Route) -> Bool {
        route.mayWait && request.headers.contains("Prefer")
    }

    func payer(for head: RequestHead, from peer: IPAddress) -> Payer {
        let request = Request(head: head, peer: peer)
        guard let arrival = try? door.arrival(of: request) else { return .address(peer.network) }
        if let account = authenticator.recent(request, arrival) { return .account(account.text) }
        return .address(arrival.client.network)
    }

    func response(to refusal: Refusal) -> Response {
        traffic.count(refusal.status)
        var response = Problem(refusal).response(in: .english)
        if let id = requests?.write(unreadable: refusal.status) { response.headers.append("X-Request-Id", id) }
        return response
    }

    private func refusal(_ problem: Problem, _ request: Request, _ arrival: Arrival?) -> Response {
        let language = Language(accepting: request.headers["Accept-Language"]) ?? .english
        return finishing(problem.response(in: language), request, arrival)
    }

    private func answer(
        _ served: Served, _ parameters: RouteParameters, _ request: Request, _ arrival: Arrival, _ line: RequestLine?,
        on loop: EventLoop
    ) async -> Reply {
        let start = ContinuousClock.now
        // A long poll first waits for a change, and only then in the queues.
        let deadline = Deadline(served.route.mayWait ? timeout + .seconds(LongPoll.longest) : timeout, after: start)
        let reply: Reply
        if request.method.isSafe {
            // Reads wait only for calculations, which take the deadline from the request's context.
            reply = await answer(served.route, parameters, request, arrival, line, until: deadline, on: loop)
        } else {
            reply = await Deadline.$current.withValue(deadline) {
                await answer(served.route, parameters, request, arrival, line, until: deadline, on: loop)
            }
        }
        if let status = reply.status {
            observe(reply, status, of: served, to: request, since: start)
        }
        return finished(consume reply, request, arrival, line)
    }

    /// Times an answer by what its time consists of. A long poll that is refused has not waited.
    private func observe(
        _ reply: borrowing Reply, _ status: Status, of served: Served, to request: Request,
        since start: ContinuousClock.Instant
    ) {
        let form: RouteTraffic.Form =
            switch reply {
            case .stream, .webSocket: .stream
            case .response, .later, .waiting:
                served.route.mayWait && status.code < 400 && request.headers["Prefer"]?.contains("wait=") == true
                    ? .longPoll : .request
            }
        served.traffic.observe(form, status, start.duration(to: .now))
    }

    private func answer(
        _ route: Route, _ parameters: RouteParameters, _ request: Request, _ arrival: Arrival,
        _ line: RequestLine?, until deadline: Deadline, on loop: EventLoop
    ) async -> Reply {
        let accepted = Language(accepting: request.headers["Accept-Language"])
        var language = accepted ?? .english
        do {
            let (principal, token) =
                if route.shape.takesClients, !authenticator.hasBearer(request) {
                    // A program's own credentials count here, and a cookie that comes with them does not.
                    (principal: Principal.guest, token: SecretToken?.none)
                } else {
                    try await authenticator.principal(
                        of: request, arrival, renewing: !route.shape.isUnattended && !waits(request, route))
                }
            line?.note(principal.account)
            try route.admit(principal)
            try route.scope.check(principal)
            if !request.target.query.isEmpty { try route.shape.reads.check(request.target.query) }
            let context = RequestContext(
                principal: principal, client: client(of: request, arrival),
                language: accepted ?? principal.acting?.locale ?? .english, now: clock.now,
                under: route.scope.required, deadline: deadline)
            let call = Call(
                request: request, parameters: parameters, declared: route.shape.reads,
                takes: Call.BodyRule(route.shape.body), context: context, token: token, arrival: arrival,
                on: loop, bodies: bodies)
            language = context.language
            let revocations = broadcaster.revocations
            let reply = try await route.handle(call)
            // Reply to a revocation only after every loop has stopped sending to readers who lost access.
            if broadcaster.revocations != revocations { await broadcaster.settle() }
            return reply
        } catch {
            var problem = self.problem(error, route, request, arrival, line)
            if authenticator.hasBearer(request) { problem.challengeBearer() }
            return .response(problem.response(in: language))
        }
    }

    private func problem(
        _ error: any Error, _ route: Route, _ request: Request, _ arrival: Arrival, _ line: RequestLine?
    ) -> Problem {
        let log = line?.naming(log) ?? log
        let details: KeyValuePairs<String, LogValue> = [
            "method": .text(request.method.description), "route": .text(route.pattern),
            "client": .text(arrival.client.description), "error": .text("\(error)"),
        ]
        switch error {
        case StoreError.unavailable, StoreError.incompatible: log.warning("the store does not answer", details)
        default: break
        }
        if let problem = Problem(error) { return problem }
        log.error("unexpected error", details)
        return Problem(.internalServerError, "internal")
    }

    private func client(of request: Request, _ arrival: Arrival) -> Client {
        Client(
            source: arrival.client.network.description, site: arrival.client.site.map { "\($0)/48" },
            isLimited: !(exemptsLoopback && arrival.client.isLoopback),
            description: request.headers["User-Agent"] ?? "")
    }

    private func finished(
        _ reply: consuming Reply, _ request: Request, _ arrival: Arrival, _ line: RequestLine?
    ) -> Reply {
        // Consuming the reply adds the header fields to the response itself, not to a copy.
        switch consume reply {
        case .response(var response):
            finish(&response, request, arrival, line, bytes: response.body.count)
            return .response(response)
        case .stream(var head, let open):
            finish(&head, request, arrival, line, bytes: nil)
            return .stream(head, open: open)
        case .later(let work): return .later { [self] in finished(await work(), request, arrival, line) }
        case .waiting(let work): return .waiting { [self] in finished(await work(), request, arrival, line) }
        case .webSocket(let upgrade):
            if let line { requests?.write(line, Status(101), bytes: nil) }
            return .webSocket(upgrade)
        }
    }

    private func finishing(_ response: Response, _ request: Request, _ arrival: Arrival?) -> Response {
        var response = response
        finish(&response, request, arrival, line(of: request, arrival), bytes: response.body.count)
        return response
    }

    /// The line of a request in the log; `nil` if requests are not logged.
    private func line(
        of request: Request, _ arrival: Arrival?, _ route: Route? = nil, _ parameters: RouteParameters? = nil
    ) -> RequestLine? {
        if requests == nil { return nil }
        return RequestLine(of: request, from: arrival?.client ?? request.peer, to: route?.pattern, parameters)
    }

    /// The header fields of every response.
    private static let common: Headers = [
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        // A sign-in with a provider opens a window, which reports the outcome to its opener.
        "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]

    /// The policy of answers that are not pages: they load nothing, and no page may frame them.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    /// Adds the header fields that a response lacks, and logs it. `arrival` is `nil` for a request that the door
    /// refused, `bytes` for a stream.
    private func finish(
        _ response: inout Response, _ request: Request, _ arrival: Arrival?, _ line: RequestLine?, bytes: Int?
    ) {
        response.headers.append(contentsOf: Self.common)
        authenticator.origins.admit(request, to: &response)
        if !response.headers.contains("Cache-Control") { response.headers.append("Cache-Control", "no-store") }
        if !response.headers.contains("Content-Security-Policy") {
            response.headers.append("Content-Security-Policy", Self.policy)
        }
        if let arrival, arrival.mayRequireTLS { response.headers.set("Strict-Transport-Security", "max-age=31536000") }
        traffic.count(response.status)
        guard let line else { return }
        response.headers.append("X-Request-Id", line.id)
        requests?.write(line, response.status, bytes: bytes, version: response.headers["ETag"])
    }
}
