public import WebSocket

/// Limits and times of one WebSocket.
public struct WebSocketSettings: Sendable, Hashable {
    /// The limits on received messages.
    public var limits = FrameDecoder.Limits()
    /// The terms of compression that the handshake offers and the server agrees to; `nil` for none.
    public var deflate: Deflate?
    /// How long a frame may take to be sent before the reader counts as stalled.
    public var stallTime = Duration.seconds(10)
    /// The code with which a stalled reader is closed.
    public var stallCode = CloseCode.policyViolation
    /// How long the other end may take to answer our close frame.
    public var closeTime = Duration.seconds(5)
    /// Bytes waiting to be sent above which pongs are left out.
    public var pongBytes = 64 * 1024

    /// Creates the default settings.
    public init() {}
}

/// Settings that many sockets share, so that each holds one reference.
final class WebSocketTerms: Sendable {
    let settings: WebSocketSettings

    init(_ settings: WebSocketSettings) { self.settings = settings }
}
