import Shared

/// How a conversation opens: from `hello` to `welcome`, or from a request to its answer.
extension LiveReader {
    /// How long the authority may take to answer.
    static let authorityTime: Duration = .seconds(10)
    /// The most bytes kept of messages behind `hello`.
    private static let keptBytes = 65_536

    mutating func greet(
        _ bytes: [UInt8], _ upgraded: LiveIdentity?, at now: Timestamp, in hub: inout Hub,
        do actions: inout [ReaderAction]
    ) {
        guard bytes.count <= hub.limits.helloBytes else { return close(.tooBig, in: &hub, do: &actions) }
        guard case .hello(let token) = ClientMessage(bytes, limits: hub.limits) else {
            return close(.protocolError, in: &hub, do: &actions)
        }
        let greeting = Greeting(revocations: hub.revocations, until: now.advanced(by: Self.authorityTime))
        phase = .authenticating(greeting)
        if token == nil, let upgraded {
            confirm(upgraded, greeting, in: &hub, do: &actions)
        } else {
            actions.append(.authenticate(token: token))
        }
    }

    /// Enters the connection under its account *before* asking, so that no revocation can escape it.
    private mutating func confirm(
        _ identity: LiveIdentity, _ greeting: Greeting, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        var greeting = greeting
        greeting.identity = identity
        hub.enter(feed.reader, under: identity)
        greeting.confirming = askToConfirm(identity, do: &actions)
        phase = .authenticating(greeting)
    }

    /// Queues messages that arrive after `hello`. The queue is bounded; beyond it the client is told to try again
    /// later.
    mutating func keep(_ bytes: [UInt8], _ greeting: Greeting, do actions: inout [ReaderAction]) {
        guard greeting.bytes + bytes.count <= Self.keptBytes else {
            send(.failed(.rateLimited, topic: nil, after: 1_000), do: &actions)
            return
        }
        var greeting = greeting
        phase = .closed  // so that the list is changed in place
        greeting.messages.append(bytes)
        greeting.bytes += bytes.count
        phase = .authenticating(greeting)
    }

    mutating func authenticated(
        _ answer: Authentication, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        switch phase {
        case .authenticating(let greeting) where greeting.identity == nil:
            guard answer != .guest else { return welcome(nil, greeting.messages, at: now, in: &hub, do: &actions) }
            guard let identity = identity(answer, at: now, in: &hub, do: &actions) else { return }
            guard greeting.revocations == hub.revocations else {
                return confirm(identity, greeting, in: &hub, do: &actions)
            }
            hub.enter(feed.reader, under: identity)
            welcome(identity, greeting.messages, at: now, in: &hub, do: &actions)
        case .open(let open): refreshed(answer, open, at: now, in: &hub, do: &actions)
        case .awaitingHello, .authenticating, .asking, .closing, .closed: break
        }
    }

    mutating func confirmed(
        _ question: Confirmation, _ answer: Authentication, at now: Timestamp, in hub: inout Hub,
        do actions: inout [ReaderAction]
    ) {
        switch phase {
        case .authenticating(let greeting):
            guard question.number == greeting.confirming,
                let identity = identity(answer, at: now, in: &hub, do: &actions)
            else { return }
            welcome(identity, greeting.messages, at: now, in: &hub, do: &actions)
        case .open(let open) where open.refresh?.confirming == question.number:
            refreshed(answer, open, at: now, in: &hub, do: &actions)
        // Of a session that a newer one has replaced there is nothing left to end.
        case .open(let open) where question.identity.isSame(as: open.identity):
            reconfirmed(question, answer, open, at: now, in: &hub, do: &actions)
        case .asking(let asking) where question.identity.isSame(as: asking.identity):
            if answer == .invalid || answer == .revoked { end(in: &hub, do: &actions) }
        case .asking, .open: break
        case .awaitingHello, .closing, .closed: break
        }
    }

    /// Asks about the session again when the account's rights have changed.
    mutating func reconfirm(_ identity: LiveIdentity, in hub: inout Hub, do actions: inout [ReaderAction]) {
        switch phase {
        case .authenticating(let greeting): confirm(identity, greeting, in: &hub, do: &actions)
        case .asking, .open: _ = askToConfirm(identity, do: &actions)
        case .awaitingHello, .closing, .closed: break
        }
    }

    /// The caller that the answer stands for; closes if there is none.
    private mutating func identity(
        _ answer: Authentication, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) -> LiveIdentity? {
        switch answer {
        case .identity(let identity) where identity.expires > now: return identity
        case .identity(let identity): close(identity.expiry, in: &hub, do: &actions)
        case .invalid, .guest: close(.tokenInvalid, in: &hub, do: &actions)
        case .revoked: close(.sessionRevoked, in: &hub, do: &actions)
        case .tooManyConnections: close(.tooManyConnections, in: &hub, do: &actions)
        case .unavailable: close(.overloaded, in: &hub, do: &actions)
        }
        return nil
    }

    private mutating func welcome(
        _ identity: LiveIdentity?, _ messages: [[UInt8]], at now: Timestamp, in hub: inout Hub,
        do actions: inout [ReaderAction]
    ) {
        open(
            for: identity, until: now.advanced(by: hub.lifetime()), pingAt: now.advanced(by: hub.pause()),
            isOneWay: false)
        send(.welcome(connection: hub.chance.next(), expiresIn: identity?.seconds(after: now)), do: &actions)
        for message in messages {
            guard case .open = phase else { return }
            obey(message, at: now, in: &hub, do: &actions)
        }
    }

    private mutating func open(
        for identity: LiveIdentity?, until end: Timestamp, pingAt first: Timestamp, isOneWay: Bool
    ) {
        phase = .open(
            Open(identity: identity, end: end, heartbeat: .pingAt(first), isOneWay: isOneWay))
    }

    // MARK: A request

    /// Begins a conversation in which a request speaks for the client. The rights are asked about once the reader is
    /// entered in the hub, so that no revocation falls between.
    mutating func ask(
        for topics: [TopicRequest], _ identity: LiveIdentity?, _ time: Duration?, at now: Timestamp, in hub: inout Hub,
        do actions: inout [ReaderAction]
    ) {
        guard case .awaitingHello = phase else { return }
        let end = now.advanced(by: time ?? hub.lifetime())
        // What ends by itself soon needs no pings.
        let pingAt = time == nil ? now.advanced(by: hub.pause()) : end
        let until = min(end, now.advanced(by: Self.authorityTime))
        phase = .asking(Asking(identity: identity, until: until, end: end, pingAt: pingAt))
        if let identity { hub.enter(feed.reader, under: identity) }
        for topic in topics { subscribe(to: topic, in: &hub, do: &actions) }
    }

    /// Whether the client says where its person is: a request cannot.
    private var isTalking: Bool {
        switch phase {
        case .open(let open): !open.isOneWay
        case .awaitingHello, .authenticating, .asking, .closing, .closed: false
        }
    }

    /// Takes an answer about a topic. One topic that may not be read refuses a whole request.
    mutating func authorised(
        _ request: PermissionRequest, _ permission: Permission, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        let message = feed.answered(request, permission, isTalking: isTalking, in: &hub)
        guard case .asking(let asking) = phase else {
            if let message { send(message, do: &actions) }
            return
        }
        guard message == nil else {
            let code = permission == .unavailable ? LiveErrorCode.unavailable : .forbidden
            send(.error(code, topic: request.topic.description), do: &actions)
            return leave(&hub)
        }
        guard feed.openQuestions == 0 else { return }
        open(for: asking.identity, until: asking.end, pingAt: asking.pingAt, isOneWay: true)
        actions.append(.accept)
    }
}

extension LiveIdentity {
    /// The seconds to the session's end.
    func seconds(after now: Timestamp) -> Int64 { max(0, expires.microseconds(since: now) / 1_000_000) }
}
