/// What happens to a session.
public enum LiveEvent: Sendable {
    /// A whole text message came.
    case text([UInt8])
    /// A binary message came.
    case binary
    /// The answer to `LiveAction.authenticate` or `.confirm`.
    case authenticated(Authentication)
    /// The answer to `LiveAction.authorise`.
    case authorised(PermissionRequest, Permission)
    /// The hub says that a topic may have changed.
    case changed(ChannelID)
    /// The hub says that rights may have gone.
    case revoked(Revocation)
    /// Something that was sent could not be written at once.
    case blocked
    /// All that was sent has been written.
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
    /// Send a message that is this connection's own.
    case send([UInt8])
    /// Send a frame that is shared with other connections, as it is.
    case sendFrame([UInt8])
    /// Ask what a token stands for; answer with `LiveEvent.authenticated`.
    case authenticate(token: String)
    /// Ask whether a session is still good; answer with `LiveEvent.authenticated`.
    case confirm(LiveIdentity)
    /// Ask whether a topic may be read; answer with `LiveEvent.authorised`.
    case authorise(PermissionRequest)
    /// Send a close frame behind what was sent, then close. Nothing follows.
    case close(CloseCode)
    /// Drop what has not been written and cut the connection: it may be what the peer may not read any more.
    case cut
}
