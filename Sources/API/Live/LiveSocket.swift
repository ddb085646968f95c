import HTTP
import Live
import Shared
import Transport
import WebServer
import WebSocket

/// One WebSocket that speaks `gradecast.live.v1`: carries events to its session and does what the session wants.
final class LiveSocket: LiveReader {
    private let context: LiveLoopContext
    private let channel: WebSocketChannel
    private let id: SubscriberID
    private var session: LiveSession
    private var timer = LiveTimer()
    private let client: IPAddress
    /// Its place among the connections of an account or address.
    private var place: LivePlace

    /// Takes over a channel.
    init(
        _ id: SubscriberID, _ channel: WebSocketChannel, in context: LiveLoopContext, for identity: LiveIdentity?,
        from client: IPAddress, at place: LivePlace
    ) {
        self.id = id
        self.channel = channel
        self.context = context
        self.client = client
        self.place = place
        session = LiveSession(id, identity: identity, at: context.now, in: &context.hub)
        watchClock()
    }

    func changed(_ channel: ChannelID) { handle(.changed(channel)) }

    func revoked(_ revocation: Revocation) { handle(.revoked(revocation)) }

    func drain(within window: Duration) { handle(.drain(within: window)) }

    private func handle(_ event: LiveEvent) {
        var actions: [LiveAction] = []
        session.handle(event, at: context.now, in: &context.hub, do: &actions)
        for action in actions { perform(action) }
        watchClock()
        context.advance()
    }

    private func watchClock() { timer.set(session.deadline, in: context) { self.handle(.tick) } }

    private func perform(_ action: LiveAction) {
        let authority = context.authority
        switch action {
        case .send(let frame): channel.send(frame)
        case .authenticate(nil): handle(.authenticated(admitted(.guest)))
        case .authenticate(let token?):
            context.ask({ await authority.authenticate(token: token) }) {
                self.handle(.authenticated(self.admitted($0)))
            }
        case .confirm(let identity):
            context.ask({ await authority.confirm(identity) }) { self.handle(.confirmed(identity, self.admitted($0))) }
        case .authorise(let request):
            context.authorise(request) { self.handle(.authorised(request, $0)) }
        case .close(let code): channel.close(CloseCode(code.rawValue), reason: "\(code)")
        case .cut:
            channel.dropUnsent()
            channel.abort()
        }
    }

    /// Moves the connection that says hello to a place of its account, or of guests, unless it has one.
    private func admitted(_ answer: Authentication) -> Authentication {
        guard let holder = holder(answer), session.isStranger, channel.isOpen, holder != place.holder else {
            return answer
        }
        guard let proven = context.admissions.place(for: holder) else { return .tooManyConnections }
        place.leave()
        place = proven
        return answer
    }

    private func holder(_ answer: Authentication) -> ConnectionQuota.Holder? {
        switch answer {
        case .identity(let identity): .init(identity, at: client)
        case .guest: .init(nil, at: client)
        case .invalid, .revoked, .tooManyConnections, .unavailable: nil
        }
    }
}

extension LiveSocket: WebSocketHandler {
    func received(_ message: Message) {
        switch message.kind {
        case .text: handle(.text(message.payload))
        case .binary: handle(.binary)
        }
    }

    func drained() { handle(.flushed) }

    func closed(_ code: CloseCode, reason: String) {
        handle(.closed)
        timer.set(nil, in: context) {}
        context.leave(id)
        place.leave()
    }
}
