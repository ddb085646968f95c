/// One end's view of a WebSocket, from the handshake to the last byte: decoding, pongs and the closing handshake.
///
/// States: *open* → *closing* (our close frame is out, theirs is awaited) → *closed*. If their close frame comes first,
/// *open* → *closed*, with the answer to send. After our close frame only theirs matters; after *closed* nothing does.
/// A conversation never uses a socket: bytes go in, actions come out.
public struct Conversation: Sendable {
    /// What the caller must do.
    public enum Action: Hashable, Sendable {
        /// Hand a message to the application, restored if it was compressed.
        case deliver(Message)
        /// Send a pong with this payload, unless the queue is long: only the latest ping needs an answer.
        case pong([UInt8])
        /// Tell the application that a pong came.
        case pongArrived([UInt8])
        /// Send this close frame, if there is one, then end the connection: the conversation is over with `code`.
        case close(Frame?, CloseCode, reason: String)
    }

    /// Boxed: few conversations are closing at any moment.
    private indirect enum State {
        case open
        case closing(CloseCode, reason: String)
        case closed
    }

    private var decoder: FrameDecoder
    private var state = State.open

    /// Creates a conversation whose handshake is done.
    public init(role: FrameDecoder.Role = .server, limits: FrameDecoder.Limits = FrameDecoder.Limits()) {
        decoder = FrameDecoder(role: role, limits: limits)
    }

    /// Whether messages may be sent.
    public var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Reads `bytes` from `position`, which moves past what was read.
    ///
    /// - Returns: what to do now, or `nil` when the bytes are used up.
    public mutating func receive(_ bytes: Span<UInt8>, at position: inout Int) -> Action? {
        while true {
            if case .closed = state {
                position = bytes.count
                return nil
            }
            do throws(Violation) {
                guard let event = try decoder.next(in: bytes, at: &position) else { return nil }
                if let action = act(on: try restored(event)) { return action }
            } catch {
                return fail(error)
            }
        }
    }

    /// Starts the closing handshake.
    ///
    /// - Returns: the frame to send, or `nil` if the conversation is closing or closed already.
    public mutating func close(_ code: CloseCode, reason: String = "") -> Frame? {
        guard case .open = state else { return nil }
        state = .closing(code, reason: reason)
        return .close(code, reason: reason)
    }

    /// Ends the conversation because the connection has ended.
    ///
    /// - Returns: 1006, or `nil` if the conversation was over before.
    public mutating func connectionEnded() -> CloseCode? {
        switch state {
        case .open, .closing:
            state = .closed
            return .abnormal
        case .closed: return nil
        }
    }

    /// Returns an event with its message restored, if that was compressed: within the limit and, if it is text,
    /// checked.
    private func restored(_ event: FrameDecoder.Event) throws(Violation) -> FrameDecoder.Event {
        guard case .message(let message) = event, message.isCompressed, isOpen else { return event }
        let payload = try Compression.inflate(message.payload, limit: decoder.messageLimit)
        if message.kind == .text {
            var validator = UTF8Validator()
            guard validator.accept(payload[...]), validator.isComplete else { throw .text }
        }
        return .message(Message(message.kind, payload))
    }

    private mutating func act(on event: FrameDecoder.Event) -> Action? {
        switch (state, event) {
        case (.open, .message(let message)): return .deliver(message)
        case (.open, .ping(let payload)): return .pong(payload)
        case (.open, .pong(let payload)): return .pongArrived(payload)
        case (.open, .close(let code, let reason)):
            state = .closed
            return .close(.close(code == .noStatus ? nil : code), code, reason: reason)
        case (.closing(let code, let reason), .close):
            state = .closed
            return .close(nil, code, reason: reason)
        case (.closing, _), (.closed, _): return nil
        }
    }

    private mutating func fail(_ violation: Violation) -> Action {
        let frame: Frame? = isOpen ? .close(violation.closeCode, reason: violation.description) : nil
        state = .closed
        return .close(frame, violation.closeCode, reason: violation.description)
    }
}
