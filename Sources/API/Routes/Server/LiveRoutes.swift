import Accounts
import HTTP
import Live
import Shared
import Transport
import WebServer
import WebSocket

/// Routes that open live connections: WebSockets and event streams. Long polls use the documents' own routes.
struct LiveRoutes: RouteGroup {
    /// The subprotocol that a WebSocket client must offer.
    static let subprotocol = "gradecast.live.v1"

    private static let topic = Parameter<String?>(
        .query, "topic", "What to follow, such as `standing/{record}`; may be repeated.", isRequired: true,
        mayRepeat: true
    ) { $0 }
    private static let last = Parameter.text(
        "last", "The id of the last event that arrived, where no header can say so.")
    private static let lastEventID = Parameter<String?>(
        .header, "Last-Event-ID", "The id of the last event that arrived."
    ) { $0 }

    private static let upgrade = Parameter<String?>(
        .header, "Upgrade", "`websocket` (RFC 6455), beside the other fields of its handshake.", isRequired: true
    ) { $0 }
    private static let offered = Parameter<String?>(
        .header, "Sec-WebSocket-Protocol", "Subprotocols, among them `\(subprotocol)`.", isRequired: true
    ) { $0 }

    let service: LiveService
    let limits: LiveLimits
    let origins: OriginRule

    var routes: [Route] {
        [
            .channel(
                "/v1/live", "Live updates over a WebSocket, subprotocol \(Self.subprotocol)", scope: .any,
                reads: [Self.upgrade, Self.offered],
                answers: 101, refuses: [.upgradeRequired, .forbidden, .tooManyConnections], reply: socket),
            .channel(
                "/v1/live/events", "Live updates as server-sent events", scope: .any,
                reads: [Self.topic, Self.last, Self.lastEventID], media: ["text/event-stream"],
                refuses: [.notFound, .tooManyConnections], reply: events),
        ]
    }

    // MARK: WebSocket

    /// Upgrades to a WebSocket, in a place of the caller's account. If the account has none left, the socket takes a
    /// place of the client's network, and `hello` gets the close code for too many connections.
    private func socket(_ call: Call) throws -> Reply {
        let upgrade = try call.upgrade()
        guard upgrade.handshake.offers(Self.subprotocol) else {
            throw Problem.malformed("Offer the subprotocol \(Self.subprotocol)")
        }
        guard origins.allowsLive(upgrade.origins, for: call.arrival) else { throw Problem.forbidden }
        let part = try part(call)
        let caller = LiveIdentity(call.principal)
        let client = call.arrival.client
        let proven = caller.flatMap { service.admissions.place(for: .account($0.account)) }
        guard let place = proven ?? service.admissions.place(for: .strangers(at: client.network)) else {
            throw Problem.tooManyConnections
        }
        // A cookie does not authenticate a socket; it only decides whose place the socket takes until `hello`.
        let identity = upgrade.isAuthorized ? caller : nil
        let settings = settings(for: upgrade.handshake)
        return .webSocket(
            Reply.Upgrade(upgrade.handshake, subprotocol: Self.subprotocol, settings: settings) { channel in
                let context = part.value
                return context.enter { id in
                    LiveSocket(id, channel, in: context, for: identity, from: client, at: place)
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

    private func part(_ call: Call) throws -> LoopBound<LiveLoopContext> {
        guard let part = call.loop.flatMap({ service.part(on: $0) }) else {
            throw Problem.unavailable("No live updates here")
        }
        return part
    }

    // MARK: Events

    private func events(_ call: Call) async throws -> Reply {
        let topics = try topics(call.readAll(Self.topic))
        for topic in topics { try topic.scope.check(call.principal) }
        let last = try call.read(Self.lastEventID) ?? call.read(Self.last)
        let identity = LiveIdentity(call.principal)
        let part = try part(call)
        guard let place = service.admissions.place(for: .init(identity, at: call.arrival.client)) else {
            throw Problem.tooManyConnections
        }
        let stream = try await open(topics, after: last, for: identity, at: place, on: part)
        // The answer to HEAD never opens the stream.
        if call.wantsHeadAlone { part.loop.execute { stream.value.closed() } }
        return .stream(Self.head) { channel in
            stream.value.attach(channel)
            return stream.value
        }
    }

    private func topics(_ texts: [String]) throws -> [Topic] {
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
                    LiveStream(id, EventStream(topics, lastEventID: last), in: context, at: place) {
                        continuation.resume(returning: $0)
                    }
                }.begin(for: identity)
            }
        }
        return try opening.get()
    }

    private static let head = Response(
        .ok,
        headers: [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
        ])
}

extension Problem {
    /// Maps the refusal of a stream or a long poll to a problem. What the caller may not read answers as if it did not
    /// exist.
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
