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
    /// The terms on which messages are compressed; `nil` if they are not.
    public var deflate: Deflate? { settings.deflate }
    private let stream: Stream
    private let terms: WebSocketTerms
    private var conversation: Conversation
    private var state = State.starting
    private let registry: ConnectionRegistry
    private var closeTimer: TimerToken?
    // In this position it fits into the padding after the timer.
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

    /// Bytes that were sent and that the kernel has not taken yet.
    public var bufferedBytes: Int { stream.bufferedBytes }

    /// How long the oldest byte that the kernel has not taken has waited; `nil` if there is none.
    public var oldestUnsentAge: Duration? { stream.oldestUnsentAge }

    /// Sends a frame, whose bytes may be shared with other channels; drops it if the channel is not open.
    public func send(_ frame: Frame) {
        guard conversation.isOpen else { return }
        let isShort = deflate?.window == Deflate.longestWindow
        stream.write(isShort ? frame.compressed ?? frame.bytes : frame.bytes)
    }

    /// Sends a ping.
    public func ping(_ payload: [UInt8] = []) { send(.ping(payload)) }

    /// Removes the frames that have not begun to be sent.
    public func dropUnsent() { stream.dropUnsent() }

    /// Starts the closing handshake; `closed` follows when the other end has answered or taken too long.
    public func close(_ code: CloseCode, reason: String = "") {
        guard let frame = conversation.close(code, reason: reason) else { return }
        stream.write(frame.bytes)
        closeTimer = loop.schedule(after: settings.closeTime) { [unowned self] in
            // The timer is cancelled in `closed`, and the stream holds the channel until then.
            closeTimer = nil
            stream.abort()
        }
    }

    /// Aborts the connection at once; both ends see 1006.
    public func abort() { stream.abort() }

    /// Takes over the stream, makes the handler, and reads what came after the handshake.
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
    /// Decodes what came in and acts on it.
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

    /// Aborts, because the other end has gone without a close frame.
    public func ended() { stream.abort() }

    /// Passes the event on to the handler.
    public func drained() {
        if case .open(let handler) = state, conversation.isOpen { handler.drained() }
    }

    /// Closes with the reason, in case the reader looks again; it has `closeTime` to do so.
    public func stalled() {
        // The rest of the frame in progress is as old as before; once closing, only `closeTime` counts.
        guard conversation.isOpen else { return }
        stream.dropUnsent()
        close(settings.stallCode, reason: "too slow")
    }

    /// Releases everything.
    public func closed(_ reason: CloseReason) {
        if let closeTimer { loop.cancel(closeTimer) }
        closeTimer = nil
        registry.leave(self)
        if let code = conversation.connectionEnded() { end(code, reason: "") }
    }
}

extension WebSocketChannel: ManagedConnection {
    /// Does nothing: the application drains its WebSockets, because it can tell its clients when to come back.
    func drain() {}

    func evict() { close(.serviceRestart) }

    func abandon() { stream.abort() }
}
