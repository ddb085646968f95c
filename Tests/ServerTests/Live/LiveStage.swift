import HTTP
import Live
import Shared
import TestKit
import Testing
import Transport
import WebServer

@testable import Server

/// A live room behind a real server on a free loopback port.
struct LiveStage: Sendable {
    let town: LiveTown
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
        let town = LiveTown()
        let service = await LiveService(
            on: group.loops, epoch: Epoch("k3"), source: town, authority: town, limits: limits)
        let endpoint = LiveEndpoint(
            service: service, limits: limits, origins: OriginRule(others: ["https://app.example"]),
            identify: { request, _ in
                guard let header = request.headers["Authorization"] else {
                    return request.headers["Cookie"].flatMap { town.identity(of: $0) }
                }
                guard let identity = town.identity(of: String(header.dropFirst(7))) else {
                    throw Problem.unauthenticated
                }
                return identity
            })
        var settings = Settings()
        settings.drainTime = drainTime
        let server = try WebServer(
            at: SocketAddress(host: "127.0.0.1", port: 0), on: group.loops, responder: Doorway(endpoint: endpoint),
            settings: settings)
        let stage = LiveStage(town: town, service: service, port: server.address.port, loops: group.loops)
        let answering = Task { await service.run() }
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await server.run() }
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
    func commit(_ topic: Topic = standing, size: Int = 0) { service.publish([town.commit(topic, size: size)]) }

    /// Revokes and waits until every loop has taken note, as the revoking call does.
    func revoke(_ revocation: Revocation) {
        let done = Gate()
        Task {
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
        try client.say(#"{"t":"hello","token":"\#(town.signIn(name, session: session))"}"#)
        #expect(try client.next().hasPrefix(#"{"t":"welcome""#))
        return client
    }
}

/// The live endpoint alone, with a route for the long poll.
private struct Doorway: Responder {
    let endpoint: LiveEndpoint

    func respond(to request: Request, on loop: EventLoop) -> Reply {
        // What a proxy would say: whose request it is.
        let client = request.headers["X-Forwarded-For"].flatMap { IPAddress($0) } ?? request.peer
        let arrival = Arrival(client: client, isSecure: false, host: request.headers["Host"])
        if let reply = endpoint.reply(to: request, arrival, on: loop) { return reply }
        return .waiting { .response(await poll(request, arrival)) }
    }

    private func poll(_ request: Request, _ arrival: Arrival) async -> Response {
        let have = request.headers["If-None-Match"].flatMap { Revision(text: $0.dropFirst().dropLast()) }
        let time = Duration.milliseconds(request.target.query("ms").flatMap { Int64($0) } ?? 3_600_000)
        guard let identity = try? await endpoint.identify(request, arrival) else { return Response(.notFound) }
        let poll = LongPoll(service: endpoint.service)
        switch try? await poll.newer(LiveStage.standing, than: have, for: identity, within: time) {
        case nil: return Response(.tooManyRequests)
        case .document(let document):
            return Response(.ok, headers: ["ETag": "\"\(document.revision)\""], body: document.bytes)
        case .unchanged: return Response(.notModified)
        case .refused(let code): return Response(.notFound, text: code.rawValue)
        }
    }
}
