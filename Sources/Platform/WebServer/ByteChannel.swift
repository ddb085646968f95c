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

    /// Bytes that were sent and that the kernel has not taken yet.
    public var bufferedBytes: Int { stream.bufferedBytes }

    /// How long the oldest byte that the kernel has not taken has waited; `nil` if there is none.
    public var oldestUnsentAge: Duration? { stream.oldestUnsentAge }

    /// Sends a piece, whose bytes may be shared with other channels.
    public func send(_ chunk: Chunk) {
        guard isOpen else { return }
        stream.write(isChunked ? chunk.framed : chunk.payload)
    }

    /// Removes the pieces that have not begun to be sent.
    public func dropUnsent() { stream.dropUnsent() }

    /// Ends the response as complete; the connection may serve another request.
    public func end() {
        guard state == .open else { return }
        state = .ended
        if isChunked { stream.write(Array("0\r\n\r\n".utf8)) }
        onEnd()
    }

    /// Aborts the connection at once, so that the client knows that the response is not complete.
    public func abort() { stream.abort() }

    /// Notes that the connection is gone.
    func connectionClosed() { state = .ended }
}
