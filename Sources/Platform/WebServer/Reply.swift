public import HTTP
public import WebSocket

/// How a request is answered.
public enum Reply: Sendable {
    /// With this response, now.
    case response(Response)
    /// With what the work returns. It runs as a task on the connection's loop and is cancelled with the connection.
    case later(Work)
    /// With what the work returns, which waits for an event. As soon as the client sends no more, the work is
    /// cancelled, and its answer is still sent.
    case waiting(Work)
    /// By becoming a WebSocket.
    case webSocket(Upgrade)
    /// With a head now and a body as it comes: server-sent events, long exports. `open` is called on the loop.
    case stream(Response, open: @Sendable (ByteChannel) -> any ByteStreamHandler)

    /// Work that returns a reply. It has the type of an ordinary closure: a closure of another type would be wrapped in
    /// a second one.
    public typealias Work = @concurrent @Sendable () async -> Reply

    /// The upgrade of a request to a WebSocket.
    public struct Upgrade: Sendable {
        /// The checked request.
        public var handshake: Handshake
        /// The subprotocol to speak, one that the client offered; `nil` for none.
        public var subprotocol: String?
        /// Fields of the 101 response, besides the handshake's.
        public var headers: Headers
        /// Limits and times.
        public var settings: WebSocketSettings
        /// Makes the application's end; called on the loop, before the first message.
        public var open: @Sendable (WebSocketChannel) -> any WebSocketHandler

        /// Creates an upgrade from its parts.
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
