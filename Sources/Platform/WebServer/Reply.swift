public import HTTP
public import WebSocket

/// How a request is answered.
public enum Reply: Sendable {
    /// With this, now.
    case response(Response)
    /// By what this will say. It runs as a task on the connection's loop and is cancelled with the connection.
    case later(Work)
    /// The same, where the work waits for something to happen: it is cancelled, and its answer still sent, as soon as
    /// the client sends no more.
    case waiting(Work)
    /// By becoming a WebSocket.
    case webSocket(Upgrade)
    /// With a head now and a body as it comes: server-sent events, long exports. `open` is called on the loop.
    case stream(Response, open: @Sendable (ByteChannel) -> any ByteStreamHandler)

    /// What an answer is waited for from. As closures are by themselves: one of another kind is wrapped in a second.
    public typealias Work = @concurrent @Sendable () async -> Reply

    /// How a request becomes a WebSocket.
    public struct Upgrade: Sendable {
        /// The checked request.
        public var handshake: Handshake
        /// The subprotocol that is spoken, one that the client offered.
        public var subprotocol: String?
        /// Fields of the 101 beyond those of the handshake.
        public var headers: Headers
        /// Limits and times.
        public var settings: WebSocketSettings
        /// Makes the application's end; called on the loop, before the first message.
        public var open: @Sendable (WebSocketChannel) -> any WebSocketHandler

        /// An upgrade of the given parts.
        public init(
            _ handshake: Handshake, subprotocol: String? = nil, headers: Headers = Headers(),
            settings: WebSocketSettings = WebSocketSettings(),
            open: @escaping @Sendable (WebSocketChannel) -> any WebSocketHandler
        ) {
            self.handshake = handshake
            self.subprotocol = subprotocol
            self.headers = headers
            self.settings = settings
            self.open = open
        }
    }
}
