public import WebSocket

/// What happens to a session.
public enum LiveEvent: Sendable {
    /// A whole text message came.
    case text([UInt8])
    /// A binary message came.
    case binary
    /// The answer to `LiveAction.authenticate`.
    case authenticated(Authentication)
    /// The answer to `LiveAction.confirm`.
    case confirmed(LiveIdentity, Authentication)
    /// The answer to `LiveAction.authorise`.
    case authorised(PermissionRequest, Permission)
    /// The hub says that a topic may have changed.
    case changed(ChannelID)
    /// The hub says that rights may have gone.
    case revoked(Revocation)
    /// All that was sent is with the kernel.
    case flushed
    /// The moment `LiveSession.deadline` has come, or any other.
    case tick
    /// The server stops soon: the client should move within that time.
    case drain(within: Duration)
    /// The peer is gone, or the connection was closed for a reason below this protocol.
    case closed
}

/// What a session wants done, in this order.
public enum LiveAction: Sendable {
    /// Send a frame, whose bytes may be shared with other connections.
    case send(Frame)
    /// Ask what a token stands for, or whether there is room for a guest; answer with `LiveEvent.authenticated`.
    case authenticate(token: String?)
    /// Ask whether a session is still good; answer with `LiveEvent.confirmed`.
    case confirm(LiveIdentity)
    /// Ask whether a topic may be read; answer with `LiveEvent.authorised`.
    case authorise(PermissionRequest)
    /// Send a close frame behind what was sent, then close. Only `cut` can follow.
    case close(LiveCloseCode)
    /// Drop what has not been written and cut the connection: it may be what the peer may not read any more.
    case cut
}
