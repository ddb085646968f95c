public import WebSocket

/// The application's end of one WebSocket. All calls are on the channel's loop; `closed` comes exactly once and last.
public protocol WebSocketHandler: AnyObject {
    /// A whole message came in; text is UTF-8.
    func received(_ message: Message)
    /// A ping came in; it is answered already.
    func receivedPing()
    /// A pong came in.
    func receivedPong(_ payload: [UInt8])
    /// Everything sent so far is with the kernel.
    func drained()
    /// It is over: the code of the close frames, or 1006 if the connection broke. Nothing can be sent any more.
    func closed(_ code: CloseCode, reason: String)
}

extension WebSocketHandler {
    /// Does nothing.
    public func receivedPing() {}
    /// Does nothing.
    public func receivedPong(_ payload: [UInt8]) {}
    /// Does nothing.
    public func drained() {}
}
