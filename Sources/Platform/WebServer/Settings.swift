public import HTTP

/// Limits and times of a web server. The defaults follow the design; tests shorten the times.
public struct Settings: Sendable {
    /// The limits on the parts of a head.
    public var head = RequestParser.Limits()
    /// The time from the first byte of a request, or from the connection, to the end of its head.
    public var headerTime = Duration.seconds(10)
    /// How long a body may take before its rate counts.
    public var bodyGrace = Duration.seconds(10)
    /// The rate that a body must have on average after `bodyGrace`, in bytes per second; at least 1.
    public var bodyRate = 1024
    /// How long a connection is kept without a request.
    public var idleTime = Duration.seconds(60)
    /// How long a response may go without a byte moving.
    public var responseStall = Duration.seconds(30)
    /// How long the other end may take to close after this end.
    public var lingerTime = Duration.seconds(2)
    /// Connections of the whole server.
    public var connections = 100_000
    /// Connections of one address (IPv6: of one /64).
    public var connectionsPerAddress = 10_000
    /// Networks of reverse proxies. Their connections carry the requests of many clients and have no limit per address.
    public var proxies: [IPNetwork] = []
    /// Bytes of unsent responses above which no further request of the connection is read.
    public var pipelinedBytes = 256 * 1024
    /// Bytes of unread responses that are held in total. Above it, the connections whose bytes have moved least
    /// recently are reset.
    public var unreadBytes = 256 << 20
    /// The same for one account, or for guests from one address.
    public var unreadBytesPerPayer = 8 << 20
    /// Bytes of requests that are being received or answered, in total. Above it, the requests whose bytes have moved
    /// least recently are refused.
    public var requestBytes = 256 << 20
    /// The same for one account, or for guests from one address.
    public var requestBytesPerPayer = 64 << 20
    /// How long open requests and sockets may take to end once the server stops.
    public var drainTime = Duration.seconds(20)

    /// Creates the default settings.
    public init() {}
}
