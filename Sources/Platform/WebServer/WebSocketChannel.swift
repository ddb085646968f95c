public import HTTP
public import Transport
public import WebSocket

/// The server's end of one WebSocket, for use on its loop.
///
/// States: *open* → *closing* (our close frame is out) → *closed*; the channel and its handler hold each other until
/// *closed*.
public final class WebSocketChannel {
    private enum State {
        case starting
        case open(any WebSocketHandler)
        case closed
    }

    /// The address at the other end.
    public var peer: IPAddress { IPAddress(of: stream) }
    /// On what terms messages are compressed; `nil` for not at all.
    public var deflate: Deflate? { settings.deflate }
    private let stream: Stream
    private let terms: WebSocketTerms
    private var conversation: Conversation
    private var state = State.starting
    private let registry: ConnectionRegistry
    private var closeTimer: TimerToken?
    // Here it lies within the padding behind the timer.
    var place = RegistryPlace()

    private var settings: WebSocketSettings { terms.settings }

    init(_ stream: Stream, terms: WebSocketTerms, registry: ConnectionRegistry) {
        self.stream = stream
        self.terms = terms
        self.registry = registry
        var limits = terms.settings.limits
        limits.allowsCompression = terms.settings.deflate != nil
        conversation = Conversation(role: .server, limits: limits)
    }

    /// The loop that serves it.
    public var loop: EventLoop { stream.loop }

    /// Whether messages can still be sent.
    public var isOpen: Bool { conversation.isOpen && stream.isOpen }

    /// Bytes sent and not yet with the kernel.
    public var bufferedBytes: Int { stream.bufferedBytes }

    /// How long the oldest byte not yet with the kernel has waited.
    public var oldestUnsentAge: Duration? { stream.oldestUnsentAge }

    /// Sends a frame, whose bytes may be shared with other channels; dropped when the channel is not open.
    public func send(_ frame: Frame) {
        guard conversation.isOpen else { return }
        let isShort = deflate?.window == Deflate.longestWindow
        stream.write(isShort ? frame.compressed ?? frame.bytes : frame.bytes)
    }

    /// Sends a ping.
    public func ping(_ payload: [UInt8] = []) { send(.ping(payload)) }

    /// Takes back the frames that have not begun to be sent.
    public func dropUnsent() { stream.dropUnsent() }

    /// Starts the closing handshake; `closed` follows when the other end has answered or taken too long.
    public func close(_ code: CloseCode, reason: String = "") {
        guard let frame = conversation.close(code, reason: reason) else { return }
        stream.write(frame.bytes)
        closeTimer = loop.schedule(after: settings.closeTime) { [unowned self] in
            // Cancelled in `closed`, and the stream holds the channel until then.
            closeTimer = nil
            stream.abort()
        }
    }

    /// Breaks the connection off at once, with 1006 for both ends.
    public func abort() { stream.abort() }

    /// Takes over the stream, makes the handler, and reads what came behind the handshake.
    func start(_ open: (WebSocketChannel) -> any WebSocketHandler, remainder: [UInt8]) {
        stream.handler = self
        stream.writeDeadline = .perFrame(settings.stallTime)
        state = .open(open(self))
        guard !stream.isClosed else { return end(.abnormal, reason: "") }
        stream.resumeReading()
        if !remainder.isEmpty { received(remainder.span) }
    }

    private func end(_ code: CloseCode, reason: String) {
        guard case .open(let handler) = state else { return }
        state = .closed
        handler.closed(code, reason: reason)
    }
}

extension WebSocketChannel: StreamHandler {
    /// Decodes what came in and does what follows from it.
    public func received(_ bytes: Span<UInt8>) {
        var position = 0
        while let action = conversation.receive(bytes, at: &position) {
            guard case .open(let handler) = state else { return }
            switch action {
            case .deliver(let message): handler.received(message)
            case .pong(let payload):
                // Only the latest ping needs an answer, and a peer that does not read needs none.
                if stream.bufferedBytes <= settings.pongBytes { stream.write(Frame.pong(payload).bytes) }
                handler.receivedPing()
            case .pongArrived(let payload): handler.receivedPong(payload)
            case .close(let frame, let code, let reason):
                if let frame { stream.write(frame.bytes) }
                stream.finish()
                end(code, reason: reason)
            }
        }
    }

    /// The other end is gone without a close frame.
    public func ended() { stream.abort() }

    /// Passed on.
    public func drained() {
        if case .open(let handler) = state, conversation.isOpen { handler.drained() }
    }

    /// Says why, should the reader ever look again, and gives it `closeTime` to do so.
    public func stalled() {
        // What is left of the frame under way is as old as before; once closing, `closeTime` alone counts.
        guard conversation.isOpen else { return }
        stream.dropUnsent()
        close(settings.stallCode, reason: "too slow")
    }

    /// Lets go of everything.
    public func closed(_ reason: CloseReason) {
        if let closeTimer { loop.cancel(closeTimer) }
        closeTimer = nil
        registry.leave(self)
        if let code = conversation.connectionEnded() { end(code, reason: "") }
    }
}

extension WebSocketChannel: ManagedConnection {
    /// A WebSocket is drained by the application, which can tell its clients when to come back.
    func drain() {}

    func evict() { close(.serviceRestart) }

    func abandon() { stream.abort() }
}
