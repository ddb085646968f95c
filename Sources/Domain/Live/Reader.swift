/// What happens to an event stream or a waiter.
public enum ReaderEvent: Sendable {
    /// It has been entered in the loop's table; comes first, once.
    case begin
    /// The answer to `ReaderAction.authorise`.
    case authorised(PermissionRequest, Permission)
    /// The hub says that a topic may have changed.
    case changed(ChannelID)
    /// The hub says that rights may have gone.
    case revoked(Revocation)
    /// All that was sent is with the kernel.
    case flushed
    /// The moment `deadline` has come, or any other.
    case tick
    /// The server stops within that time.
    case drain(within: Duration)
    /// The peer is gone.
    case closed
}

/// What an event stream or a waiter wants done, in this order.
public enum ReaderAction: Sendable {
    /// Ask whether a topic may be read; answer with `ReaderEvent.authorised`.
    case authorise(PermissionRequest)
    /// Everything may be read: answer 200 and begin the stream.
    case accept
    /// Answer the request with this error instead. Nothing follows.
    case refuse(LiveErrorCode)
    /// Write to the stream.
    case send([UInt8])
    /// Answer with this document. Nothing follows.
    case answer(LiveDocument)
    /// Answer that nothing changed. Nothing follows.
    case unchanged
    /// End the stream behind what was written. Nothing follows.
    case finish
    /// Drop what has not been written and cut the connection. Nothing follows.
    case cut
}
