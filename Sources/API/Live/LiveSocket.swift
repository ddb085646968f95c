import HTTP
import Live
import Transport
import WebServer
import WebSocket

/// A conversation over a WebSocket, in `gradecast.live.v1`.
final class LiveSocket: LiveConnection {
    private let channel: WebSocketChannel

    /// Takes over a channel.
    init(
        _ id: SubscriberID, _ channel: WebSocketChannel, in context: LiveLoopContext, for identity: LiveIdentity?,
        from client: IPAddress, at place: LivePlace
    ) {
        self.channel = channel
        super.init(id, in: context, for: identity, from: client, at: place)
    }

    override var form: LiveInstruments.Form { .webSocket }

    override func send(_ message: ServerMessage) {
        if let shared = message.shared {
            channel.send(shared.frame(alsoCompressed: context.hub.limits.compresses))
        } else {
            channel.send(.text(message.text(context.hub.limits)))
        }
    }

    override func close(_ code: LiveCloseCode) { channel.close(CloseCode(code.rawValue), reason: "\(code)") }

    override func cut() {
        channel.dropUnsent()
        channel.abort()
    }

    /// Moves a connection that says hello to a place of its account, or of guests, unless it already has one.
    override func admitted(_ answer: Authentication) -> Authentication {
        guard let holder = holder(answer), reader.isStranger, channel.isOpen, holder != self.holder else {
            return answer
        }
        guard context.admissions.move(self.holder, to: holder) else { return .tooManyConnections }
        self.holder = holder
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

    func closed(_ code: CloseCode, reason: String) { leave() }
}
