public import Shared

/// Topics as server-sent events: the same messages as on the WebSocket, one way.
///
/// Every document comes with an event id, the place in time of each topic in the order of the request: `k3.44` for one
/// topic, `k3.44,k3.17,-` for three of which the last has not been sent. A client that comes back with it in
/// `Last-Event-ID` gets what changed since, and no document for what did not.
///
/// The request is answered only when every topic may be read; one that may not refuses the whole.
public struct EventStream {
    private enum Phase {
        /// The right to some topics is still being asked about.
        case asking(until: Timestamp)
        case open(pingAt: Timestamp, end: Timestamp)
        case closed
    }

    private let identity: LiveIdentity?
    private let topics: [Topic]
    private var places: [Revision?]
    private var phase: Phase
    private var feed: Feed
    private var output = Output.clear

    /// A stream of topics that somebody asked for.
    ///
    /// - Parameters:
    ///   - identity: for whom, as the request's credentials said. It is asked about with each topic, once the stream
    ///     is entered in the hub, so that no revocation falls between.
    ///   - topics: what to read, at least one, none twice.
    ///   - lastEventID: where an earlier stream of the same topics ended; what cannot be read counts as none.
    public init(
        _ reader: SubscriberID, for identity: LiveIdentity?, topics: [Topic], lastEventID: String?, at now: Timestamp
    ) {
        self.identity = identity
        self.topics = topics
        feed = Feed(reader: reader)
        phase = .asking(until: now.advanced(by: .seconds(10)))
        let known = lastEventID.map { $0.split(separator: ",").map { Revision(text: $0) } } ?? []
        places = known.count == topics.count ? known : topics.map { _ in nil }
    }

    /// When `tick` is due next; `nil` once closed.
    public var deadline: Timestamp? {
        switch phase {
        case .asking(let until): until
        case .open(let pingAt, let end):
            [pingAt, end, identity?.expires].compactMap { $0 }.min()
        case .closed: nil
        }
    }

    /// Takes in an event and appends what is to be done.
    public mutating func handle(
        _ event: ReaderEvent, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        if case .closed = phase { return }
        switch event {
        case .begin: begin(in: &hub, do: &actions)
        case .authorised(let request, let permission):
            answered(request, permission, at: now, in: &hub, do: &actions)
        case .changed(let channel): feed.mark(channel)
        case .revoked(let revocation): revoked(revocation, in: &hub, do: &actions)
        case .flushed: output = .clear
        case .tick: tick(at: now, in: &hub, do: &actions)
        case .drain(let window): drain(within: window, at: now, in: &hub, do: &actions)
        case .closed: leave(&hub)
        }
        if output == .clear { feed.written(&hub) }
        deliver(from: &hub, do: &actions)
    }

    private mutating func begin(in hub: inout Hub, do actions: inout [ReaderAction]) {
        if let identity { hub.enter(feed.reader, under: identity) }
        for (topic, place) in zip(topics, places) {
            if case .asks(let request) = feed.subscribe(to: topic, have: place, for: identity, in: &hub) {
                actions.append(.authorise(request))
            }
        }
    }

    private mutating func answered(
        _ request: PermissionRequest, _ permission: Permission, at now: Timestamp, in hub: inout Hub,
        do actions: inout [ReaderAction]
    ) {
        let delivery = feed.answered(request, permission)
        guard case .asking = phase else {
            if let delivery { send(delivery, in: &hub, do: &actions) }
            return
        }
        switch delivery {
        case nil: break
        case .failed(_, let code): return refuse(code, in: &hub, do: &actions)
        case .ended, .current, .document: return refuse(.forbidden, in: &hub, do: &actions)
        }
        guard feed.openQuestions == 0 else { return }
        let age = hub.chance.spread(hub.limits.maximumAge, percent: 10)
        phase = .open(pingAt: now.advanced(by: hub.pause()), end: now.advanced(by: age))
        actions.append(.accept)
    }

    // MARK: Out

    private mutating func deliver(from hub: inout Hub, do actions: inout [ReaderAction]) {
        guard output == .clear, case .open = phase else { return }
        var room = hub.limits.documentBytes
        while case .open = phase, room > 0 {
            guard let delivery = feed.next(from: &hub) else { return }
            room -= send(delivery, in: &hub, do: &actions)
        }
    }

    @discardableResult
    private mutating func send(
        _ delivery: Feed.Delivery, in hub: inout Hub, do actions: inout [ReaderAction]
    ) -> Int {
        switch delivery {
        case .document(let topic, let rendition):
            return send(rendition.event, id: (topic, rendition.document.revision), do: &actions)
        case .current(let topic, let revision):
            return send(Self.data(ServerMessage.current(topic, revision)), id: (topic, revision), do: &actions)
        case .ended(let topic, let reason):
            write(Self.data(ServerMessage.end(topic, reason)), do: &actions)
        case .failed(let topic, let code):
            let message = ServerMessage.error(code, topic: topic.description, after: code.pause)
            write(Self.data(message), do: &actions)
        }
        if feed.subscriptions.isEmpty { end(.finish, in: &hub, do: &actions) }
        return 0
    }

    /// An event with its id; the shared part is written as it is.
    private mutating func send(
        _ event: [UInt8], id: (topic: Topic, revision: Revision), do actions: inout [ReaderAction]
    ) -> Int {
        if let index = topics.firstIndex(of: id.topic) { places[index] = id.revision }
        let text = places.map { $0?.description ?? "-" }.joined(separator: ",")
        write(Array("id: \(text)\n".utf8), do: &actions)
        write(event, do: &actions)
        return event.count
    }

    private mutating func write(_ bytes: [UInt8], do actions: inout [ReaderAction]) {
        output = .busy
        actions.append(.send(bytes))
    }

    /// A message as the data of an event, with the blank line that ends it.
    static func data(_ message: [UInt8]) -> [UInt8] {
        var event: [UInt8] = []
        event.reserveCapacity(message.count + 8)
        event += "data: ".utf8
        event += message
        event += "\n\n".utf8
        return event
    }

    // MARK: Time and the end

    private mutating func tick(at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]) {
        switch phase {
        case .asking(let until):
            if until <= now { refuse(.unavailable, in: &hub, do: &actions) }
        case .open(let pingAt, let end):
            if end <= now || identity.map({ $0.expires <= now }) == true { return finish(in: &hub, do: &actions) }
            guard pingAt <= now else { return }
            phase = .open(pingAt: now.advanced(by: hub.pause()), end: end)
            let asOf = feed.isSettled(in: hub) ? hub.asOf : nil
            write(Self.data(ServerMessage.ping(nil, asOf: asOf)), do: &actions)
        case .closed: break
        }
    }

    /// Ends at a random moment within the window; the client comes back by itself.
    private mutating func drain(
        within window: Duration, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        guard case .open(let pingAt, let end) = phase else { return refuse(.unavailable, in: &hub, do: &actions) }
        let wait = Int64.random(in: 0...max(0, window.microseconds), using: &hub.chance)
        phase = .open(pingAt: pingAt, end: min(end, now.advanced(by: .microseconds(wait))))
    }

    private mutating func revoked(
        _ revocation: Revocation, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        switch revocation.effect(on: identity) {
        case .none: break
        case .end:
            guard case .open = phase else { return refuse(.unauthenticated, in: &hub, do: &actions) }
            finish(in: &hub, do: &actions)
        case .recheck(let topics):
            guard output == .clear || !feed.hasDelivered(topics, in: hub) else {
                return end(.cut, in: &hub, do: &actions)
            }
            for request in feed.recheck(topics, for: identity, in: hub) { actions.append(.authorise(request)) }
        }
    }

    private mutating func refuse(_ code: LiveErrorCode, in hub: inout Hub, do actions: inout [ReaderAction]) {
        end(.refuse(code), in: &hub, do: &actions)
    }

    /// Ends in order, or without if something unwritten might outlive the right to read it.
    private mutating func finish(in hub: inout Hub, do actions: inout [ReaderAction]) {
        end(output == .clear ? .finish : .cut, in: &hub, do: &actions)
    }

    private mutating func end(_ action: ReaderAction, in hub: inout Hub, do actions: inout [ReaderAction]) {
        actions.append(action)
        leave(&hub)
    }

    private mutating func leave(_ hub: inout Hub) {
        feed.leave(&hub)
        if let identity { hub.remove(feed.reader, under: identity) }
        phase = .closed
    }
}
