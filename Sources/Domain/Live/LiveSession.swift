public import Shared
import WebSocket

/// The protocol `gradecast.live.v1` of one connection, as a pure state machine: events and moments in, actions out.
///
/// ```
///                  hello                    identity
///  awaitingHello ────────► authenticating ────────────► open ─────► closed
///                               │  ▲                 (refresh, recheck, drain happen inside)
///                               └──┘ once more when a revocation came meanwhile
/// ```
///
/// **States.** `awaitingHello` takes one small message. `authenticating` keeps what comes behind it for later.
/// `open` serves. `closing` has sent its last while something before it was still unwritten, and only listens for
/// revocations of that. `closed` ignores everything.
///
/// **Guarantees.** A document is only sent under a right that was granted after the connection was entered in the hub
/// under its account, so that no revocation can fall between. Once told of a revocation the session sends nothing it
/// concerns; what may still lie unwritten before the socket is cut off with it. What is sent is bounded: at most one
/// document limit of states is handed out before everything sent has been written.
///
/// **Moments** come from the caller and never step back. One timer is enough: `deadline` is the next moment at which
/// `tick` has something to do; it moves with every event.
public struct LiveSession {
    enum Phase {
        /// The identity is known already if a token came with the upgrade.
        case awaitingHello(LiveIdentity?, until: Timestamp)
        case authenticating(Greeting)
        case open(Open)
        case closing(LiveIdentity?)
        case closed
    }

    /// What is known between `hello` and `welcome`.
    struct Greeting {
        /// Entered in the hub and asked about again; `nil` while the token itself is being looked at.
        var identity: LiveIdentity?
        /// How often that has been asked and not been answered.
        var confirming = 0
        /// The hub's count of revocations when the question was asked.
        var revocations: UInt32
        /// What came behind `hello`, to be handled in order.
        var messages: [[UInt8]] = []
        var bytes = 0
        let until: Timestamp
    }

    /// What an open connection lives by.
    struct Open {
        var identity: LiveIdentity?
        /// When the connection is old enough, or has been drained.
        var end: End
        var heartbeat: Heartbeat
        var pings: Int64 = 0
        /// The last `asOf` that was sent.
        var asOf: Timestamp?
        var refreshing = Refreshing.none

        var refresh: Refresh? {
            get {
                if case .underWay(let refresh) = refreshing { refresh } else { nil }
            }
            set { refreshing = newValue.map { .underWay($0) } ?? .none }
        }
    }

    /// An `auth` under way is kept apart: hardly any connection has one, and every one would have its size.
    indirect enum Refreshing {
        case none
        case underWay(Refresh)
    }

    struct End {
        var at: Timestamp
        var code: LiveCloseCode
    }

    enum Heartbeat {
        case pingAt(Timestamp)
        case pongUntil(Timestamp)
    }

    /// An `auth` under way.
    struct Refresh {
        /// Whom the token stands for, once it has been looked at.
        var identity: LiveIdentity?
        /// The hub's count of revocations when the question was asked.
        var revocations: UInt32
        var attempts = 1
    }

    let connection: UInt64
    var phase: Phase
    var feed: Feed
    var output = Output.clear
    private var rate = MessageRate()

    /// A session of a connection whose upgrade was accepted at `now`.
    ///
    /// - Parameters:
    ///   - reader: its name on this loop.
    ///   - identity: for whom, if an `Authorization` came with the upgrade; asked about again at `hello`.
    public init(_ reader: SubscriberID, identity: LiveIdentity?, at now: Timestamp, in hub: inout Hub) {
        connection = hub.chance.next()
        feed = Feed(reader: reader)
        phase = .awaitingHello(identity, until: now.advanced(by: hub.limits.helloTime))
    }

    /// Whether it is not known yet on whose behalf the connection reads.
    public var isStranger: Bool {
        switch phase {
        case .awaitingHello, .authenticating: true
        case .open, .closing, .closed: false
        }
    }

    /// Under which account the connection is entered in the hub; `nil` for a guest and before that is known.
    public var identity: LiveIdentity? {
        switch phase {
        case .authenticating(let greeting): greeting.identity
        case .open(let open): open.identity
        case .closing(let identity): identity
        case .awaitingHello, .closed: nil
        }
    }

    /// How many subscriptions the connection has.
    public var subscriptionCount: Int { feed.subscriptions.count }

    /// When `tick` is due next; `nil` once it is over.
    public var deadline: Timestamp? {
        switch phase {
        case .awaitingHello(_, let until): return until
        case .authenticating(let greeting): return greeting.until
        case .open(let open):
            var next = open.end.at
            if let expires = open.identity?.expires { next = min(next, expires) }
            return switch open.heartbeat {
            case .pingAt(let moment), .pongUntil(let moment): min(next, moment)
            }
        case .closing, .closed: return nil
        }
    }

    /// Takes in an event and appends what is to be done.
    public mutating func handle(
        _ event: LiveEvent, at now: Timestamp, in hub: inout Hub, do actions: inout [LiveAction]
    ) {
        switch phase {
        case .closed: return
        case .closing(let identity): return handle(event, closing: identity, in: &hub, do: &actions)
        case .awaitingHello, .authenticating, .open: break
        }
        switch event {
        case .text(let bytes): receive(bytes, at: now, in: &hub, do: &actions)
        case .binary: close(.binary, in: &hub, do: &actions)
        case .authenticated(let answer): authenticated(answer, at: now, in: &hub, do: &actions)
        case .confirmed(let identity, let answer): confirmed(identity, answer, at: now, in: &hub, do: &actions)
        case .authorised(let request, let permission):
            if let delivery = feed.answered(request, permission) { send(delivery, do: &actions) }
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

    // MARK: Out

    /// Hands out what is owed while the socket takes it. One document limit goes out at a time; the rest follows when
    /// that has been written, from the newest versions of then.
    private mutating func deliver(from hub: inout Hub, do actions: inout [LiveAction]) {
        guard output == .clear, case .open = phase else { return }
        var room = hub.limits.documentBytes
        while room > 0 {
            guard let delivery = feed.next(from: &hub) else { return }
            room -= send(delivery, do: &actions)
        }
    }

    @discardableResult
    private mutating func send(_ delivery: Feed.Delivery, do actions: inout [LiveAction]) -> Int {
        switch delivery {
        case .document(_, let rendition):
            return send(rendition.frame, do: &actions)
        case .current(let topic, let revision):
            return send(ServerMessage.current(topic, revision), do: &actions)
        case .ended(let topic, let reason):
            return send(ServerMessage.end(topic, reason), do: &actions)
        case .failed(let topic, let code):
            return send(ServerMessage.error(code, topic: topic.description, after: code.pause), do: &actions)
        }
    }

    @discardableResult
    mutating func send(_ message: [UInt8], do actions: inout [LiveAction]) -> Int {
        send(Frame.text(message), do: &actions)
    }

    private mutating func send(_ frame: Frame, do actions: inout [LiveAction]) -> Int {
        output = .busy
        actions.append(.send(frame))
        return frame.bytes.count
    }

    // MARK: The end

    mutating func close(_ code: LiveCloseCode, in hub: inout Hub, do actions: inout [LiveAction]) {
        actions.append(.close(code))
        switch output {
        case .clear: leave(&hub)
        case .busy: phase = .closing(identity)
        }
    }

    /// Ends without a close frame what still has something unwritten that may not be read any more.
    mutating func cut(_ hub: inout Hub, do actions: inout [LiveAction]) {
        actions.append(.cut)
        leave(&hub)
    }

    private mutating func handle(
        _ event: LiveEvent, closing identity: LiveIdentity?, in hub: inout Hub, do actions: inout [LiveAction]
    ) {
        switch event {
        case .flushed, .closed: leave(&hub)
        case .revoked(let revocation): revoked(revocation, in: &hub, do: &actions)
        default: break
        }
    }

    private mutating func leave(_ hub: inout Hub) {
        feed.leave(&hub)
        if let identity { hub.remove(feed.reader, under: identity) }
        phase = .closed
    }

    // MARK: In

    private mutating func receive(
        _ bytes: [UInt8], at now: Timestamp, in hub: inout Hub, do actions: inout [LiveAction]
    ) {
        switch rate.count(at: now, limits: hub.limits) {
        case .pass: break
        case .warn(let after):
            send(ServerMessage.error(.rateLimited, after: after), do: &actions)
            return
        case .drop: return
        case .close:
            close(.rateLimited, in: &hub, do: &actions)
            return
        }
        switch phase {
        case .awaitingHello(let identity, _):
            greet(bytes, identity, at: now, in: &hub, do: &actions)
        case .authenticating(let greeting): keep(bytes, greeting, do: &actions)
        case .open: obey(bytes, at: now, in: &hub, do: &actions)
        case .closing, .closed: break
        }
    }
}

extension LiveErrorCode {
    /// How long a client should wait before it tries again, in milliseconds.
    var pause: Int64 { self == .unavailable ? 2_000 : 0 }
}
