import Shared

/// The messages of an open connection.
extension LiveReader {
    /// How often a token is looked at again because a revocation came meanwhile.
    private static let refreshAttempts = 3

    mutating func obey(_ bytes: [UInt8], at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]) {
        guard let message = ClientMessage(bytes, limits: hub.limits) else {
            send(.error(.badRequest), do: &actions)
            return
        }
        switch message {
        case .hello: close(.protocolError, in: &hub, do: &actions)
        case .sub(let topic, let have): subscribe(topic, have, in: &hub, do: &actions)
        case .unsub(let topic): unsubscribe(topic, in: &hub, do: &actions)
        case .auth(let token): refresh(token, in: hub, do: &actions)
        case .pong(let number): pong(number, at: now, in: &hub, do: &actions)
        case .here(let text, let place, let isEditing):
            // Never answered: what names no collection that may be read tells nothing.
            guard let topic = try? Topic(text: text), topic.isCollection else { return }
            feed.here(topic, at: place, isEditing: isEditing, now: now, in: &hub)
        }
    }

    // MARK: Topics

    private mutating func subscribe(
        _ text: String, _ have: Revision?, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        guard let topic = topic(text, do: &actions) else { return }
        guard feed.subscriptions.count < hub.limits.topics || feed.contains(topic, in: hub) else {
            send(.error(.limit, topic: text), do: &actions)
            return
        }
        subscribe(to: TopicRequest(topic, have: have), in: &hub, do: &actions)
    }

    mutating func subscribe(to topic: TopicRequest, in hub: inout Hub, do actions: inout [ReaderAction]) {
        if let request = feed.subscribe(to: topic, for: identity, in: &hub) { actions.append(.authorise(request)) }
    }

    private mutating func unsubscribe(_ text: String, in hub: inout Hub, do actions: inout [ReaderAction]) {
        guard let topic = topic(text, do: &actions) else { return }
        feed.unsubscribe(from: topic, in: &hub)
        send(.ended(topic, .unsub), do: &actions)
    }

    /// The topic of that text; what is none is answered.
    private mutating func topic(_ text: String, do actions: inout [ReaderAction]) -> Topic? {
        do {
            return try Topic(text: text)
        } catch {
            switch error {
            case .malformed:
                let echo = text.utf8.count <= Topic.longest ? text : nil
                send(.error(.badRequest, topic: echo), do: &actions)
            case .unknown: send(.error(.forbidden, topic: text), do: &actions)
            }
            return nil
        }
    }

    // MARK: A newer session

    private mutating func refresh(_ token: String, in hub: Hub, do actions: inout [ReaderAction]) {
        guard case .open(var open) = phase else { return }
        guard open.identity != nil else {
            send(.error(.unauthenticated), do: &actions)
            return
        }
        guard open.refresh == nil else {
            send(.error(.limit), do: &actions)
            return
        }
        open.refresh = Refresh(revocations: hub.revocations)
        phase = .open(open)
        actions.append(.authenticate(token: token))
    }

    mutating func refreshed(
        _ answer: Authentication, _ open: Open, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        guard var refresh = open.refresh else { return }
        var open = open
        open.refresh = nil
        switch answer {
        case .identity(let identity) where identity.mayFollow(open.identity) && identity.expires > now:
            if refresh.revocations == hub.revocations {
                if let older = open.identity { hub.remove(feed.reader, under: older) }
                hub.enter(feed.reader, under: identity)
                open.identity = identity
                open.idling = .none
                send(.refreshed(expiresIn: identity.seconds(after: now)), do: &actions)
            } else if refresh.attempts < Self.refreshAttempts {
                refresh.revocations = hub.revocations
                refresh.attempts += 1
                refresh.confirming = askToConfirm(identity, do: &actions)
                open.refresh = refresh
            } else {
                send(.error(.unavailable), do: &actions)
            }
        case .identity, .guest, .invalid, .revoked: send(.error(.unauthenticated), do: &actions)
        case .unavailable, .tooManyConnections: send(.error(.unavailable), do: &actions)
        }
        phase = .open(open)
    }

    // MARK: Time

    private mutating func pong(
        _ number: Int, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        guard case .open(var open) = phase else { return }
        guard number >= 1, number <= Int(open.pings) else {
            send(.error(.badRequest), do: &actions)
            return
        }
        guard number == Int(open.pings), case .pongUntil = open.heartbeat else { return }
        open.heartbeat = .pingAt(now.advanced(by: hub.pause()))
        phase = .open(open)
    }

    mutating func tick(at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]) {
        switch phase {
        case .awaitingHello(_, let until):
            if until <= now { close(.helloTimeout, in: &hub, do: &actions) }
        case .authenticating(let greeting):
            if greeting.until <= now { close(.overloaded, in: &hub, do: &actions) }
        case .asking(let asking):
            if asking.until <= now { close(.overloaded, in: &hub, do: &actions) }
        case .open(let open): tick(open, at: now, in: &hub, do: &actions)
        case .closing, .closed: break
        }
    }

    private mutating func tick(
        _ open: Open, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        var open = open
        if let identity = open.identity {
            if identity.expires <= now { return close(identity.expiry, in: &hub, do: &actions) }
            if open.idleCheck(of: identity) <= now {
                // Without an answer nothing says that the session goes on.
                if case .asked = open.idling { return close(.overloaded, in: &hub, do: &actions) }
                let question = askToConfirm(identity, do: &actions)
                open.idling = .asked(question: question, until: now.advanced(by: Self.authorityTime))
                phase = .open(open)
            }
        }
        if open.end <= now { return close(open.endCode, in: &hub, do: &actions) }
        switch open.heartbeat {
        case .pongUntil(let moment):
            if moment <= now { close(.noPong, in: &hub, do: &actions) }
        case .pingAt(let moment):
            if moment <= now { ping(open, at: now, in: &hub, do: &actions) }
        }
    }

    /// Takes the answer to a question about the session, asked because rights have changed or its idle end has come.
    mutating func reconfirmed(
        _ question: Confirmation, _ answer: Authentication, _ open: Open, at now: Timestamp, in hub: inout Hub,
        do actions: inout [ReaderAction]
    ) {
        var open = open
        var isAboutIdling = false
        if case .asked(question.number, _) = open.idling { isAboutIdling = true }
        switch answer {
        case .identity(let renewed) where renewed.isSame(as: open.identity):
            if renewed.idleEnd <= now { return close(renewed.expiry, in: &hub, do: &actions) }
            if isAboutIdling { open.idling = .none }
            open.identity = renewed
            phase = .open(open)
        case .invalid, .revoked:
            isAboutIdling ? close(question.identity.expiry, in: &hub, do: &actions) : end(in: &hub, do: &actions)
        case .unavailable where isAboutIdling: close(.overloaded, in: &hub, do: &actions)
        case .identity, .guest, .tooManyConnections, .unavailable: break
        }
    }

    /// Says how fresh everything is that was sent before: as of the last sweep if nothing is outstanding, else as of
    /// the last time that could be said.
    private mutating func ping(
        _ open: Open, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        var open = open
        open.pings &+= 1
        if feed.isSettled(in: hub) { open.asOf = hub.asOf }
        open.heartbeat =
            open.isOneWay
            ? .pingAt(now.advanced(by: hub.pause())) : .pongUntil(now.advanced(by: hub.limits.pongTime))
        phase = .open(open)
        send(.ping(open.isOneWay ? nil : Int64(open.pings), asOf: open.asOf), do: &actions)
    }

    mutating func drain(
        within window: Duration, at now: Timestamp, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        guard case .open(var open) = phase else { return close(.restart, in: &hub, do: &actions) }
        // A client that cannot be told to move is sent away at a moment of its own, and comes back by itself.
        let wait = open.isOneWay ? Int64.random(in: 0...max(0, window.microseconds), using: &hub.chance) : nil
        let end = now.advanced(by: wait.map { .microseconds($0) } ?? window)
        if open.end > end || open.endCode != .restart {
            (open.end, open.endCode) = (min(open.end, end), .restart)
        }
        phase = .open(open)
        if wait == nil { send(.drain(within: max(0, window.microseconds / 1_000)), do: &actions) }
    }

    // MARK: Revocation

    /// Everything that is no longer surely allowed stops here and now. What was sent before but lies unwritten
    /// would still reach the peer, so such a connection is cut instead.
    mutating func revoked(_ revocation: Revocation, in hub: inout Hub, do actions: inout [ReaderAction]) {
        switch revocation.effect(on: identity) {
        case .none: break
        case .end: end(in: &hub, do: &actions)
        case .recheck(let topics): recheck(topics, for: identity, in: &hub, do: &actions)
        }
    }

    mutating func end(in hub: inout Hub, do actions: inout [ReaderAction]) {
        guard output == .clear else { return cut(&hub, do: &actions) }
        close(.sessionRevoked, in: &hub, do: &actions)
    }

    private mutating func recheck(
        _ topics: [Topic]?, for identity: LiveIdentity?, in hub: inout Hub, do actions: inout [ReaderAction]
    ) {
        guard output == .clear || !feed.hasDelivered(topics, in: hub) else { return cut(&hub, do: &actions) }
        if let identity, topics == nil { reconfirm(identity, in: &hub, do: &actions) }
        switch phase {
        case .asking, .open: break
        case .awaitingHello, .authenticating, .closing, .closed: return
        }
        for request in feed.recheck(topics, for: identity, in: hub) { actions.append(.authorise(request)) }
    }
}

extension LiveReader.Open {
    /// When to ask whether the session goes on or, if that was asked, when to stop waiting for the answer.
    func idleCheck(of identity: LiveIdentity) -> Timestamp {
        if case .asked(_, let until) = idling { until } else { identity.idleEnd }
    }
}
