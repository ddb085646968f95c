import Shared

/// From `hello` to `welcome`.
extension LiveSession {
    /// How long the authority may take to answer.
    private static let authorityTime: Duration = .seconds(10)
    /// The most bytes kept of messages behind `hello`.
    private static let keptBytes = 65_536

    mutating func greet(
        _ bytes: [UInt8], _ upgraded: LiveIdentity?, at now: Timestamp, in hub: inout Hub,
        do actions: inout [LiveAction]
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
        _ identity: LiveIdentity, _ greeting: Greeting, in hub: inout Hub, do actions: inout [LiveAction]
    ) {
        var greeting = greeting
        greeting.identity = identity
        greeting.confirming += 1
        hub.enter(feed.reader, under: identity)
        phase = .authenticating(greeting)
        actions.append(.confirm(identity))
    }

    /// Keeps for later what came behind `hello`. What a stranger may have kept is bounded; beyond that it is told to
    /// come again.
    mutating func keep(_ bytes: [UInt8], _ greeting: Greeting, do actions: inout [LiveAction]) {
        guard greeting.bytes + bytes.count <= Self.keptBytes else {
            send(ServerMessage.error(.rateLimited, after: 1_000), do: &actions)
            return
        }
        var greeting = greeting
        phase = .closed  // so that the list is changed in place
        greeting.messages.append(bytes)
        greeting.bytes += bytes.count
        phase = .authenticating(greeting)
    }

    mutating func authenticated(
        _ answer: Authentication, at now: Timestamp, in hub: inout Hub, do actions: inout [LiveAction]
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
        case .authenticating, .awaitingHello, .closing, .closed: break
        }
    }

    mutating func confirmed(
        _ identity: LiveIdentity, _ answer: Authentication, at now: Timestamp, in hub: inout Hub,
        do actions: inout [LiveAction]
    ) {
        switch phase {
        case .authenticating(var greeting):
            guard let identity = self.identity(answer, at: now, in: &hub, do: &actions) else { return }
            greeting.confirming -= 1
            guard greeting.confirming == 0 else { return phase = .authenticating(greeting) }
            welcome(identity, greeting.messages, at: now, in: &hub, do: &actions)
        case .open(let open) where open.refresh?.identity == identity:
            refreshed(answer, open, at: now, in: &hub, do: &actions)
        case .open:
            if answer == .invalid || answer == .revoked { end(in: &hub, do: &actions) }
        case .awaitingHello, .closing, .closed: break
        }
    }

    /// Asks about the session again when the account's rights have changed.
    mutating func reconfirm(_ identity: LiveIdentity, in hub: inout Hub, do actions: inout [LiveAction]) {
        switch phase {
        case .authenticating(let greeting): confirm(identity, greeting, in: &hub, do: &actions)
        case .open: actions.append(.confirm(identity))
        case .awaitingHello, .closing, .closed: break
        }
    }

    /// Whom the answer stands for; closes if that is nobody.
    private mutating func identity(
        _ answer: Authentication, at now: Timestamp, in hub: inout Hub, do actions: inout [LiveAction]
    ) -> LiveIdentity? {
        switch answer {
        case .identity(let identity) where identity.expires > now: return identity
        case .identity: close(.tokenExpired, in: &hub, do: &actions)
        case .invalid, .guest: close(.tokenInvalid, in: &hub, do: &actions)
        case .revoked: close(.sessionRevoked, in: &hub, do: &actions)
        case .tooManyConnections: close(.tooManyConnections, in: &hub, do: &actions)
        case .unavailable: close(.overloaded, in: &hub, do: &actions)
        }
        return nil
    }

    private mutating func welcome(
        _ identity: LiveIdentity?, _ messages: [[UInt8]], at now: Timestamp, in hub: inout Hub,
        do actions: inout [LiveAction]
    ) {
        let age = hub.chance.spread(hub.limits.maximumAge, percent: 10)
        phase = .open(
            Open(
                identity: identity, end: End(at: now.advanced(by: age), code: .maximumAge),
                heartbeat: .pingAt(now.advanced(by: hub.pause()))))
        send(
            ServerMessage.welcome(
                connection: SplitMix64.name(of: connection), expiresIn: identity?.seconds(after: now),
                limits: hub.limits),
            do: &actions)
        for message in messages {
            guard case .open = phase else { return }
            obey(message, at: now, in: &hub, do: &actions)
        }
    }
}

extension LiveIdentity {
    /// The seconds to the session's end.
    func seconds(after now: Timestamp) -> Int64 { max(0, expires.microseconds(since: now) / 1_000_000) }
}
