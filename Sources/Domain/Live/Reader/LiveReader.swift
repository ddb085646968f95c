public import Shared

/// One reader of live documents, as a pure state machine: events and moments in, actions out. A WebSocket, an event
/// stream and a long poll are encodings of the same conversation: on a WebSocket the client speaks for itself; a
/// request says at once what a conversation begins with, and its answer carries the server's side.
///
/// ```
///                  hello                    identity
///  awaitingHello ────────► authenticating ────────────► open ─────► closing ─────► closed
///        │                      │  ▲                     ▲
///        │                      └──┘ again, when a       │ (refresh, recheck, drain happen inside)
///        │       request             revocation came     │
///        └────────────► asking ──────────────────────────┘ everything may be read
/// ```
///
/// **States.** `awaitingHello` takes one small message, or a request. `authenticating` keeps what comes behind `hello`
/// for later. `asking` waits until all of a request's topics may be read. `open` serves. `closing` has sent its last
/// while something before it was still unwritten, and only listens for revocations of that. `closed` ignores everything.
///
/// **Guarantees.** A document is only sent under a right that was granted after the reader was entered in the hub under
/// its account, so that no revocation can fall between. Once told of a revocation the reader sends nothing it concerns;
/// what may still lie unwritten before the socket is cut off with it. What is sent is bounded: at most one document
/// limit of states is handed out before everything sent has been written.
///
/// **Moments** come from the caller and never step back. One timer is enough: `deadline` is the next moment at which
/// `tick` has something to do; it moves with every event.
public struct LiveReader {
    enum Phase {
        /// The identity is known already if a token came with the upgrade.
        case awaitingHello(LiveIdentity?, until: Timestamp)
        case authenticating(Greeting)
        case asking(Asking)
        case open(Open)
        case closing(LiveIdentity?)
        case closed
    }

    /// What is known between `hello` and `welcome`.
    struct Greeting {
        /// Entered in the hub and asked about again; `nil` while the token itself is being looked at.
        var identity: LiveIdentity?
        /// The number of the newest question about it: only its answer counts.
        var confirming: UInt32 = 0
        /// The hub's count of revocations when the question was asked.
        var revocations: UInt32
        /// What came behind `hello`, to be handled in order.
        var messages: [[UInt8]] = []
        var bytes = 0
        let until: Timestamp
    }

    /// What is known of a request while its topics are asked about.
    struct Asking {
        let identity: LiveIdentity?
        /// How long the answers may take.
        let until: Timestamp
        /// How long the request's own answer may last, and when it pings first.
        let end: Timestamp
        let pingAt: Timestamp
    }

    /// What an open conversation lives by.
    ///
    /// Every connection has one, so the properties are in an order that leaves no gaps in memory.
    struct Open {
        var identity: LiveIdentity?
        var refreshing = Refreshing.none
        var idling = Idling.none
        /// When the conversation is old enough, or has been drained.
        var end: Timestamp
        var heartbeat: Heartbeat
        /// How it closes at its end.
        var endCode = LiveCloseCode.maximumAge
        /// Whether the client is a request, which says nothing more.
        let isOneWay: Bool
        var pings: UInt32 = 0
        /// The last `asOf` that was sent.
        var asOf: Timestamp?

        var refresh: Refresh? {
            get {
                if case .underWay(let refresh) = refreshing { refresh } else { nil }
            }
            set { refreshing = newValue.map { .underWay($0) } ?? .none }
        }
    }

    /// Boxed: few connections have an `auth` pending, and inline it would enlarge all.
    indirect enum Refreshing {
        case none
        case underWay(Refresh)
    }

    /// Whether the session's idle end has come, and the authority is asked whether requests have moved it. Boxed like
    /// `Refreshing`.
    indirect enum Idling {
        case none
        case asked(question: UInt32, until: Timestamp)
    }

    enum Heartbeat {
        case pingAt(Timestamp)
        case pongUntil(Timestamp)
    }

    /// An `auth` under way.
    struct Refresh {
        /// The newest question about the token's owner; 0 while the token itself is checked.
        var confirming: UInt32 = 0
        /// The hub's count of revocations when the question was asked.
        var revocations: UInt32
        var attempts = 1
    }

    /// Whether what was sent is on its way.
    enum Output {
        /// All of it is with the kernel.
        case clear
        /// Some of it may still wait in this process.
        case busy
    }

    var phase: Phase
    var output = Output.clear
    /// Questions about sessions that were asked.
    private var confirmations: UInt32 = 0
    private var rate = MessageRate()
    var feed: Feed

    /// Its name on this loop.
    public var id: SubscriberID { feed.reader }

    /// A reader that has just come.
    ///
    /// - Parameters:
    ///   - id: its name on this loop.
    ///   - identity: for whom, if an `Authorization` came with the upgrade; asked about again at `hello`.
    public init(_ id: SubscriberID, identity: LiveIdentity? = nil, at now: Timestamp, in hub: inout Hub) {
        feed = Feed(reader: id)
        phase = .awaitingHello(identity, until: now.advanced(by: hub.limits.helloTime))
    }

    /// Whether it is not known yet on whose behalf it reads.
    public var isStranger: Bool {
        switch phase {
        case .awaitingHello, .authenticating: true
        case .asking, .open, .closing, .closed: false
        }
    }

    /// Under which account it is entered in the hub; `nil` for a guest and before that is known.
    public var identity: LiveIdentity? {
        switch phase {
        case .authenticating(let greeting): greeting.identity
        case .open(let open): open.identity
        case .asking(let asking): asking.identity
        case .closing(let identity): identity
        case .awaitingHello, .closed: nil
        }
    }

    /// How many subscriptions it has.
    public var subscriptionCount: Int { feed.subscriptions.count }

    /// When `tick` is due next; `nil` once it is over.
    public var deadline: Timestamp? {
        switch phase {
        case .awaitingHello(_, let until): return until
        case .authenticating(let greeting): return greeting.until
        case .asking(let asking): return asking.until
        case .open(let open):
            var next = open.end
            if let identity = open.identity { next = min(next, identity.expires, open.idleCheck(of: identity)) }
            return switch open.heartbeat {
            case .pingAt(let moment), .pongUntil(let moment): min(next, moment)
            }
        case .closing, .closed: return nil
        }
    }

    /// Takes in an event and appends what is to be done.
    public mutating func handle(
        _ event: ReaderEvent, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        switch phase {
        case .closed: return
        case .closing: return handleClosing(event, in: &hub, do: &actions)
        case .awaitingHello, .authenticating, .asking, .open: break
        }
        switch event {
        case .text(let bytes): receive(bytes, at: now, in: &hub, do: &actions)
        case .binary: close(.binary, in: &hub, do: &actions)
        case .request(let identity, let topics, let time):
            ask(for: topics, identity, time, at: now, in: &hub, do: &actions)
        case .authenticated(let answer): authenticated(answer, at: now, in: &hub, do: &actions)
        case .confirmed(let question, let answer): confirmed(question, answer, at: now, in: &hub, do: &actions)
        case .authorised(let request, let permission):
            authorised(request, permission, in: &hub, do: &actions)
        case .changed(let id): feed.mark(id)
        case .revoked(let revocation): revoked(revocation, in: &hub, do: &actions)
        case .flushed: output = .clear
        case .tick: tick(at: now, in: &hub, do: &actions)
        case .drain(let window): drain(within: window, at: now, in: &hub, do: &actions)
        case .closed: leave(&hub)
        }
        if output == .clear { feed.written(&hub) }
        deliver(from: &hub, do: &actions)
    }

    /// Asks whether a session is still good.
    ///
    /// - Returns: the number of the question.
    mutating func askToConfirm(_ identity: LiveIdentity, do actions: inout [ReaderAction]) -> UInt32 {
        confirmations &+= 1
        actions.append(.confirm(Confirmation(identity: identity, number: confirmations)))
        return confirmations
    }

    // MARK: Out

    /// Hands out what is owed while the client takes it. One document limit goes out at a time; the rest follows when
    /// that has been written, from the newest versions of then.
    private mutating func deliver(from hub: inout Hub, do actions: inout [ReaderAction]) {
        guard output == .clear, case .open = phase else { return }
        var room = hub.limits.documentBytes
        while room > 0 {
            guard let message = feed.next(from: &hub) else { return }
            room -= message.size
            send(message, do: &actions)
        }
    }

    mutating func send(_ message: ServerMessage, do actions: inout [ReaderAction]) {
        output = .busy
        actions.append(.send(message))
    }

    // MARK: The end

    /// Closes behind what was sent. The answer to a request has nothing behind it that a later revocation could still
    /// cut, so it ends in order only when all of it is written.
    mutating func close(_ code: LiveCloseCode, in hub: inout Hub, do actions: inout [ReaderAction]) {
        if case .open(let open) = phase, open.isOneWay, output == .busy { return cut(&hub, do: &actions) }
        actions.append(.close(code))
        switch output {
        case .clear: leave(&hub)
        case .busy: phase = .closing(identity)
        }
    }

    /// Ends without a close frame what still has something unwritten that may not be read any more.
    mutating func cut(_ hub: inout Hub, do actions: inout [ReaderAction]) {
        actions.append(.cut)
        leave(&hub)
    }

    private mutating func handleClosing(
        _ event: ReaderEvent, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        switch event {
        case .flushed, .closed: leave(&hub)
        case .revoked(let revocation): revoked(revocation, in: &hub, do: &actions)
        default: break
        }
    }

    mutating func leave(_ hub: inout Hub) {
        feed.leave(&hub)
        if let identity { hub.remove(feed.reader, under: identity) }
        phase = .closed
    }

    // MARK: In

    private mutating func receive(
        _ bytes: [UInt8], at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        switch rate.count(at: now, limits: hub.limits) {
        case .pass: break
        case .warn(let after): return send(.failed(.rateLimited, topic: nil, after: after), do: &actions)
        case .drop: return
        case .close: return close(.rateLimited, in: &hub, do: &actions)
        }
        switch phase {
        case .awaitingHello(let identity, _): greet(bytes, identity, at: now, in: &hub, do: &actions)
        case .authenticating(let greeting): keep(bytes, greeting, do: &actions)
        case .open: obey(bytes, at: now, in: &hub, do: &actions)
        case .asking, .closing, .closed: break
        }
    }
}
