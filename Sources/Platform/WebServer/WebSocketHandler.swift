public import WebSocket

/// The application's end of one WebSocket. All calls are on the channel's loop; `closed` comes last, exactly once.
public protocol WebSocketHandler: AnyObject {
    /// Called with a whole message; text is UTF-8.
    func received(_ message: Message)
    /// Called when a ping came in; it needs no further answer.
    func receivedPing()
    /// Called when a pong came in.
    func receivedPong(_ payload: [UInt8])
    /// Called when everything sent so far is with the kernel.
    func drained()
    /// Called when the WebSocket is over: with the code of the close frames, or 1006 if the connection broke. Nothing
    /// can be sent any more.
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
