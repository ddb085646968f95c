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
    /// Its place among the connections of an account or address; a guest who has said hello needs none.
    private var place: LivePlace?

    /// Takes over a channel.
    init(
        _ id: SubscriberID, _ channel: WebSocketChannel, in context: LiveLoopContext, for identity: LiveIdentity?,
        at place: LivePlace
    ) {
        self.id = id
        self.channel = channel
        self.context = context
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
        if session.isGuest { leavePlace() }
        watchClock()
        context.advance()
    }

    private func watchClock() { timer.set(session.deadline, in: context) { self.handle(.tick) } }

    private func perform(_ action: LiveAction) {
        let authority = context.authority
        switch action {
        case .send(let frame): channel.send(frame)
        case .authenticate(let token):
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

    // MARK: Being counted

    /// Moves the connection that says hello to a place of its account, unless it has one.
    private func admitted(_ answer: Authentication) -> Authentication {
        guard case .identity(let identity) = answer, let place, session.isStranger, channel.isOpen,
            !place.belongs(to: identity.account)
        else { return answer }
        guard let proven = context.admissions.place(of: identity.account) else { return .tooManyConnections }
        place.leave()
        self.place = proven
        return answer
    }

    private func leavePlace() {
        place?.leave()
        place = nil
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
        leavePlace()
    }
}
