public import Shared

/// What happens to a reader.
public enum ReaderEvent: Sendable {
    /// A whole text message came.
    case text([UInt8])
    /// A binary message came.
    case binary
    /// A request says at once what a conversation begins with: who reads, and which topics. `time` is how long
    /// its answer may last; `nil` for as long as a connection may live.
    case request(LiveIdentity?, [TopicRequest], time: Duration?)
    /// The answer to `ReaderAction.authenticate`.
    case authenticated(Authentication)
    /// The answer to `ReaderAction.confirm`.
    case confirmed(Confirmation, Authentication)
    /// The answer to `ReaderAction.authorise`.
    case authorised(PermissionRequest, Permission)
    /// The hub says that a topic may have changed.
    case changed(TopicID)
    /// The hub says that rights may have gone.
    case revoked(Revocation)
    /// All that was sent is with the kernel.
    case flushed
    /// The moment `LiveReader.deadline` has come, or any other.
    case tick
    /// The server stops soon: the client should move within that time.
    case drain(within: Duration)
    /// The client is gone, or the connection was closed for a reason below this protocol.
    case closed
}

/// What a reader wants done, in this order.
public enum ReaderAction {
    /// Send a message. Documents are shared with other readers.
    case send(ServerMessage)
    /// Everything that the request asks for may be read: its answer begins. A message before that refuses the request,
    /// and nothing follows.
    case accept
    /// Ask what a token stands for, or whether there is room for a guest; answer with `ReaderEvent.authenticated`.
    case authenticate(token: String?)
    /// Ask whether a session is still good; answer with `ReaderEvent.confirmed`.
    case confirm(Confirmation)
    /// Ask whether a topic may be read; answer with `ReaderEvent.authorised`.
    case authorise(PermissionRequest)
    /// End the conversation behind what was sent, and say why where that can be said. Only `cut` can follow.
    case close(LiveCloseCode)
    /// Drop what has not been written and cut the connection: it may be what the client may not read any more.
    case cut
}

/// A topic that a client asks for.
public struct TopicRequest: Sendable, Equatable {
    /// What to follow.
    public let topic: Topic
    /// What the client holds of it; `nil` for nothing.
    public var have: Revision?

    /// A topic, and what the client holds of it.
    public init(_ topic: Topic, have: Revision? = nil) {
        self.topic = topic
        self.have = have
    }
}
