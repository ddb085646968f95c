/// What one connection may ask for. The defaults are the protocol's.
public struct LiveLimits: Sendable {
    /// The most bytes of an inbound message.
    public var messageBytes = 16_384
    /// The most fragments of an inbound message.
    public var messageFragments = 32
    /// The deepest nesting of an inbound message.
    public var messageDepth = 8
    /// The most bytes of the first message.
    public var helloBytes = 4_096
    /// How long a connection may stay without `hello`.
    public var helloTime: Duration = .seconds(5)
    /// The most bytes of a document in a `state`; above it `href` stands instead.
    public var documentBytes = 65_536
    /// The most subscriptions of a connection.
    public var topics = 256
    /// Messages a second that are always welcome; at least 1.
    public var messagesPerSecond = 20
    /// Messages that may come at once after a silence; at least 1.
    public var messageBurst = 300
    /// How long a connection may stay over its rate before it is closed.
    public var overRateTime: Duration = .seconds(5)
    /// The most connections of an account on this node.
    public var connectionsPerAccount = 20
    /// The most sockets of a client's address that have not said `hello`.
    public var strangersPerAddress = 10
    /// The most connections of a client's address that have no account.
    public var guestsPerAddress = 250
    /// How long a sent frame may take to be with the kernel; the transport sees to it.
    public var stallTime: Duration = .seconds(10)
    /// How long a connection may take to answer the server's close, and so how long it may still learn why.
    public var closeTime: Duration = .seconds(5)
    /// How long a connection may live, give or take a tenth.
    public var maximumAge: Duration = .seconds(43_200)
    /// The time between two pings, give or take a fifth.
    public var pingInterval: Duration = .seconds(25)
    /// How long a ping may stay without pong.
    public var pongTime: Duration = .seconds(10)
    /// The time between two sweeps.
    public var sweepInterval: Duration = .seconds(2)
    /// The most topics of one read of the sweep.
    public var sweepBatch = 1_024
    /// Whether documents are compressed for clients that offer it.
    public var compresses = false
    /// The most wake-ups handled before the loop does something else.
    public var slice = 512

    /// The protocol's limits.
    public init() {}
}
