import Accounts
import Application
import GradingKit
import HTTP
import Live
import Shared
import TestKit
import Testing
import Transport
import WebServer

@testable import API

/// The live service behind a real server on a free loopback port.
struct LiveStage: Sendable {
    let fixture: LiveFixture
    let service: LiveService
    let port: UInt16
    private let loops: [EventLoop]

    static let standing = Topic.standing(RecordID("R"), .released)

    /// Opens the stage, lets `body` play on a thread that may block, and closes it: afterwards nobody may be left.
    static func open(
        _ limits: LiveLimits = quick, loops: Int = 2, drainTime: Duration = .seconds(2),
        _ body: @escaping @Sendable (LiveStage) throws -> Void
    ) async throws {
        let group = try EventLoopGroup(count: loops)
        let fixture = LiveFixture()
        let service = await LiveService(
            on: group.loops, epoch: Epoch("k3"), source: fixture, authority: fixture, limits: limits)
        let routes = LiveRoutes(
            service: service, limits: limits, origins: OriginRule(others: ["https://app.example"]))
        var settings = Settings()
        settings.drainTime = drainTime
        let server = try WebServer(
            at: SocketAddress(host: "127.0.0.1", port: 0), on: group.loops,
            responder: try LiveResponder(fixture, routes),
            settings: settings)
        let stage = LiveStage(fixture: fixture, service: service, port: server.address.port, loops: group.loops)
        // On the loops: other tests may keep all threads of the pool for long.
        let answering = Task(executorPreference: group.loops[0]) { await service.run() }
        try await withThrowingTaskGroup { tasks in
            tasks.addTask(executorPreference: group.loops[0]) { try await server.run() }
            try await onThread { try body(stage) }
            service.drain(within: .zero)
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
        let census = await service.census()
        #expect(census.readers == 0 && census.topics == 0 && service.admissions.total == 0)
        answering.cancel()
        await answering.value
        await group.shutdown()
    }

    /// The protocol's limits, with a sweep that tests need not wait for.
    static var quick: LiveLimits {
        var limits = LiveLimits()
        limits.sweepInterval = .milliseconds(20)
        return limits
    }

    // MARK: What happens on the stage

    /// A commit that every loop is told of.
    func commit(_ topic: Topic = standing, size: Int = 0) { service.publish([fixture.commit(topic, size: size)]) }

    /// Revokes and waits until every loop has taken note, as the revoking call does.
    func revoke(_ revocation: Revocation) {
        let done = Gate()
        Task(executorPreference: loops[0]) {
            service.post(revocation)
            await service.settle()
            done.open()
        }
        done.pass()
    }

    /// Lets time pass as every loop counts it: what was due on one by then is done.
    func pass(_ time: Duration) {
        for loop in loops {
            let done = Gate()
            loop.execute { loop.schedule(after: time) { done.open() } }
            done.pass()
        }
    }

    /// Returns when so many places are taken.
    func awaitPlaces(_ count: Int) throws {
        for _ in 0..<10_000 where service.admissions.total != count { pass(.milliseconds(1)) }
        try #require(service.admissions.total == count)
    }

    func connect(receiveBuffer: Int32? = nil) throws -> LiveClient {
        try LiveClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// A connection of an account that has said hello.
    func connect(as name: String, session: Int = 1) throws -> LiveClient {
        let client = try connect()
        try client.upgrade()
        try client.say(#"{"t":"hello","token":"\#(fixture.signIn(name, session: session))"}"#)
        #expect(try client.next().hasPrefix(#"{"t":"welcome""#))
        return client
    }
}

/// The live routes alone, with one more for the long poll.
private struct LiveResponder: Responder {
    private static let wait = Parameter.integer("ms", in: 1...3_600_000, default: 3_600_000, "How long to wait")

    let fixture: LiveFixture
    private var router = Router<Route>()

    init(_ fixture: LiveFixture, _ live: LiveRoutes) throws {
        self.fixture = fixture
        let poll = Route.open(.get, "/poll", "", scope: .any, reads: [Self.wait, Header.ifNoneMatch]) { call in
            await Self.poll(LongPoll(service: live.service), call)
        }
        for route in live.routes + [poll] { try router.add(route.method, route.pattern, route) }
    }

    func respond(to request: Request, on loop: EventLoop) -> Reply {
        guard case .found(let route, let parameters) = router.match(request.method, request.target) else {
            return .response(Response(.notFound))
        }
        let work = { @Sendable in
            do {
                try route.shape.reads.check(request.target.query)
                return try await route.handle(call(route, parameters, request, on: loop))
            } catch {
                return .response(Response((Problem(error) ?? .unavailable("\(error)")).status))
            }
        }
        return route.pattern == "/poll" ? .waiting(work) : .later(work)
    }

    private func call(
        _ route: Route, _ parameters: RouteParameters, _ request: Request, on loop: EventLoop
    ) throws -> Call {
        // What a proxy would say: whose request it is.
        let client = request.headers["X-Forwarded-For"].flatMap { IPAddress($0) } ?? request.peer
        return Call(
            request: request, parameters: parameters, declared: route.shape.reads, takes: .none,
            context: RequestContext(
                principal: try principal(request), client: Client(source: client.description), language: .english,
                now: WallClock.system.now),
            token: nil, arrival: Arrival(client: client, isSecure: false, host: request.headers["Host"]), on: loop)
    }

    private func principal(_ request: Request) throws -> Principal {
        if let header = request.headers["Authorization"] {
            guard let signedIn = fixture.signedIn(by: String(header.dropFirst(7))) else {
                throw Problem.unauthenticated
            }
            return .signedIn(signedIn)
        }
        return request.headers["Cookie"].flatMap { fixture.signedIn(by: $0) }.map { .signedIn($0) } ?? .guest
    }

    private static func poll(_ poll: LongPoll, _ call: Call) async -> Response {
        guard let signedIn = call.principal.signedIn, let time = try? call.read(wait) else {
            return Response(.notFound)
        }
        let have = try? call.read(Header.ifNoneMatch).flatMap { Revision(text: $0.dropFirst().dropLast()) }
        let outcome = try? await poll.newer(
            LiveStage.standing, than: have, for: LiveIdentity(signedIn), within: .milliseconds(time))
        switch outcome {
        case nil: return Response(.tooManyRequests)
        case .document(let document):
            return Response(.ok, headers: ["ETag": "\"\(document.revision)\""], body: document.bytes)
        case .rows(let rows, _):
            return Response(.ok, headers: ["ETag": "\"\(rows.revision)\""], body: rows.items)
        case .unchanged: return Response(.notModified)
        case .refused(let code): return Response(.notFound, text: code.rawValue)
        }
    }
}
