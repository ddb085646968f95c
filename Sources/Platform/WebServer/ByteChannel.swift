public import HTTP
public import Transport

/// The server's end of a streamed response, for use on its loop.
public final class ByteChannel {
    private enum State {
        case open
        case ended
    }

    /// The address at the other end.
    public let peer: IPAddress
    private let stream: Stream
    private let isChunked: Bool
    private var state = State.open
    private let onEnd: () -> Void

    init(_ stream: Stream, peer: IPAddress, isChunked: Bool, onEnd: @escaping () -> Void) {
        self.stream = stream
        self.peer = peer
        self.isChunked = isChunked
        self.onEnd = onEnd
    }

    /// The loop that serves it.
    public var loop: EventLoop { stream.loop }

    /// Whether bytes can still be sent.
    public var isOpen: Bool { state == .open && stream.isOpen }

    /// Bytes sent and not yet with the kernel.
    public var bufferedBytes: Int { stream.bufferedBytes }

    /// How long the oldest byte not yet with the kernel has waited.
    public var oldestUnsentAge: Duration? { stream.oldestUnsentAge }

    /// Sends a piece, whose bytes may be shared with other channels.
    public func send(_ chunk: Chunk) {
        guard isOpen else { return }
        stream.write(isChunked ? chunk.framed : chunk.payload)
    }

    /// Takes back the pieces that have not begun to be sent.
    public func dropUnsent() { stream.dropUnsent() }

    /// Ends the response as complete; the connection may serve another request.
    public func end() {
        guard state == .open else { return }
        state = .ended
        if isChunked { stream.write(Array("0\r\n\r\n".utf8)) }
        onEnd()
    }

    /// Breaks the connection off at once, so that the client knows the response is not complete.
    public func abort() { stream.abort() }

    /// The connection is gone.
    func connectionClosed() { state = .ended }
}
