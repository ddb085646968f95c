public import WebSocket

/// Limits and times of one WebSocket.
public struct WebSocketSettings: Sendable, Hashable {
    /// What a message may ask of the server.
    public var limits = FrameDecoder.Limits()
    /// The terms of compression that the handshake offers and that are agreed to; `nil` for none.
    public var deflate: Deflate?
    /// How long a frame may take to leave before the reader counts as stalled.
    public var stallTime = Duration.seconds(10)
    /// What a stalled reader is closed with.
    public var stallCode = CloseCode.policyViolation
    /// How long the other end may take to answer our close frame.
    public var closeTime = Duration.seconds(5)
    /// Pongs are left out while more than this is waiting to be sent.
    public var pongBytes = 64 * 1024

    /// The defaults.
    public init() {}
}

/// Settings that many sockets share, so that each holds one reference.
final class WebSocketTerms: Sendable {
    let settings: WebSocketSettings

    init(_ settings: WebSocketSettings) { self.settings = settings }
}
