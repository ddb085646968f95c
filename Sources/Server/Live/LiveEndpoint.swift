import GradingKit
import HTTP
import Live
import Shared
import Transport
import WebServer
import WebSocket

/// `GET /v1/live` and `GET /v1/live/events`: where the live service meets HTTP.
struct LiveEndpoint: LiveConnectionHandler {
    /// Who makes a request, by its credentials; `nil` for a guest. Throws a `Problem` for credentials that are no
    /// good.
    typealias Identify = @Sendable (Request, Arrival) async throws -> LiveIdentity?

    /// The subprotocol, without which nobody is upgraded.
    static let subprotocol = "gradecast.live.v1"

    static let topic = Parameter<String?>(
        .query, "topic", "What to follow, such as `standing/{record}`; may be repeated.", isRequired: true,
        mayRepeat: true
    ) { $0 }
    static let last = Parameter.text("last", "The id of the last event that arrived, where no header can say so.")
    static let lastEventID = Parameter<String?>(.header, "Last-Event-ID", "The id of the last event that arrived.") {
        $0
    }
    private static let parameters: ParameterList = [topic, last, lastEventID]

    let service: LiveService
    let limits: LiveLimits
    let origins: OriginRule
    let identify: Identify

    func reply(to request: Request, _ arrival: Arrival, on loop: EventLoop) -> Reply? {
        guard request.method == .get, let part = service.part(on: loop) else { return nil }
        switch request.target.segments {
        case ["v1", "live"]: return socket(request, arrival, part)
        case ["v1", "live", "events"]: return .later { await events(request, arrival, part) }
        default: return nil
        }
    }

    // MARK: WebSocket

    private func socket(_ request: Request, _ arrival: Arrival, _ part: LoopBound<LiveLoopContext>) -> Reply {
        let handshake: Handshake
        do throws(Handshake.Fault) {
            handshake = try Handshake(request.head)
        } catch {
            return refuse(request, Self.problem(error))
        }
        guard handshake.offers(Self.subprotocol) else {
            return refuse(request, .malformed("Offer the subprotocol \(Self.subprotocol)"))
        }
        guard origins.allowsLive(request.headers.values("Origin"), for: arrival) else {
            return refuse(request, .forbidden)
        }
        if request.headers.contains("Authorization") {
            return .later {
                do {
                    let identity = try await identify(request, arrival)
                    return upgrade(request, arrival, handshake, for: identity, placing: identity, part)
                } catch {
                    return refuse(request, Problem(error) ?? .unavailable("Cannot sign in now"))
                }
            }
        }
        guard request.headers.contains("Cookie") else {
            return upgrade(request, arrival, handshake, for: nil, placing: nil, part)
        }
        // A cookie opens no socket, but it tells whose place the socket takes until it says hello.
        return .later {
            let owner = try? await identify(request, arrival)
            return upgrade(request, arrival, handshake, for: nil, placing: owner, part)
        }
    }

    /// Upgrades at a place of the owner's account, or at one of the client's address where the account has no more:
    /// then `hello` is answered with the close code for it.
    private func upgrade(
        _ request: Request, _ arrival: Arrival, _ handshake: Handshake, for identity: LiveIdentity?,
        placing owner: LiveIdentity?, _ part: LoopBound<LiveLoopContext>
    ) -> Reply {
        let proven = owner.flatMap { service.admissions.place(for: .account($0.account)) }
        guard let place = proven ?? service.admissions.place(for: .strangers(at: arrival.client.network)) else {
            return refuse(request, .tooManyConnections)
        }
        return .webSocket(
            Reply.Upgrade(handshake, subprotocol: Self.subprotocol, settings: settings(for: handshake)) { channel in
                let context = part.value
                return context.enter { id in
                    LiveSocket(id, channel, in: context, for: identity, from: arrival.client, at: place)
                }
            })
    }

    private func settings(for handshake: Handshake) -> WebSocketSettings {
        var settings = WebSocketSettings()
        if limits.compresses { settings.deflate = handshake.deflate }
        settings.limits.message = limits.messageBytes
        settings.limits.fragments = limits.messageFragments
        settings.stallTime = limits.stallTime
        settings.closeTime = limits.closeTime
        settings.stallCode = CloseCode(LiveCloseCode.tooSlow.rawValue)
        return settings
    }

    private static func problem(_ fault: Handshake.Fault) -> Problem {
        var problem = Problem(fault.status, "malformed", "\(fault)")
        if fault == .version { problem.headers.set("Sec-WebSocket-Version", "13") }
        return problem
    }

    // MARK: Events

    private func events(_ request: Request, _ arrival: Arrival, _ part: LoopBound<LiveLoopContext>) async -> Reply {
        do {
            try Self.parameters.check(request.target.query)
            let topics = try topics(of: request)
            let identity = try await identify(request, arrival)
            let last = try Self.lastEventID.value(in: request) ?? Self.last.value(in: request)
            guard let place = service.admissions.place(for: .init(identity, at: arrival.client)) else {
                return refuse(request, .tooManyConnections)
            }
            let stream = try await open(topics, after: last, for: identity, at: place, on: part)
            return .stream(Self.head) { channel in
                stream.value.attach(channel)
                return stream.value
            }
        } catch let refusal as LiveRefusal {
            return refuse(request, Problem(refusal))
        } catch {
            return refuse(request, Problem(error) ?? .unavailable("Cannot stream now"))
        }
    }

    private func topics(of request: Request) throws -> [Topic] {
        let texts = request.target.query.filter { $0.name == Self.topic.description.name }.map(\.value)
        guard (1...limits.topics).contains(texts.count) else { throw Problem.malformed("Name at least one topic") }
        let topics = try texts.map { text in
            do throws(TopicFault) {
                return try Topic(text: text)
            } catch {
                throw error == .malformed ? Problem.malformed("No topic: \(text)") : Problem.notFound
            }
        }
        guard Set(topics).count == topics.count else { throw Problem.malformed("Name each topic once") }
        return topics
    }

    private func open(
        _ topics: [Topic], after last: String?, for identity: LiveIdentity?, at place: LivePlace,
        on part: LoopBound<LiveLoopContext>
    ) async throws -> LoopBound<LiveStream> {
        let opening = await withCheckedContinuation { continuation in
            part.loop.execute {
                let context = part.value
                context.enter { id in
                    let stream = EventStream(id, for: identity, topics: topics, lastEventID: last, at: context.now)
                    return LiveStream(id, stream, in: context, at: place) { continuation.resume(returning: $0) }
                }.begin()
            }
        }
        return try opening.get()
    }

    private static let head = Response(
        .ok,
        headers: [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
        ])

    private func refuse(_ request: Request, _ problem: Problem) -> Reply {
        let language = Language(accepting: request.headers["Accept-Language"]) ?? .english
        return .response(problem.response(in: language))
    }
}

extension Problem {
    /// What a refused stream or wait is answered with. What may not be read answers as if it did not exist.
    init(_ refusal: LiveRefusal) {
        self =
            switch refusal.code {
            case .forbidden: .notFound
            case .unauthenticated: .unauthenticated
            case .badRequest, .limit, .tooLarge: .malformed(refusal.code.rawValue)
            case .rateLimited: .rateLimited(retryAfter: 1)
            case .unavailable, .internalError: .unavailable(refusal.code.rawValue, retryAfter: 2)
            }
    }
}
