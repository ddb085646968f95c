public import HTTP

/// Limits and times of a web server. The defaults are those of the design; tests shorten the times.
public struct Settings: Sendable {
    /// How long the parts of a head may be.
    public var head = RequestParser.Limits()
    /// From the first byte of a request, or from the connection, to the end of its head.
    public var headerTime = Duration.seconds(10)
    /// How long a body may take before its rate counts.
    public var bodyGrace = Duration.seconds(10)
    /// Bytes a second that a body must come in with, on average, after `bodyGrace`; at least 1.
    public var bodyRate = 1024
    /// How long a connection is kept without a request.
    public var idleTime = Duration.seconds(60)
    /// How long no byte of a response may move.
    public var responseStall = Duration.seconds(30)
    /// How long the other end may take to close after us.
    public var lingerTime = Duration.seconds(2)
    /// Connections of the whole server.
    public var connections = 100_000
    /// Connections of one address (IPv6: of one /64).
    public var connectionsPerAddress = 10_000
    /// Networks of reverse proxies, whose connections carry the requests of many: they count for no address.
    public var proxies: [IPNetwork] = []
    /// Bytes of responses waiting to be sent above which no further request of the connection is looked at.
    public var pipelinedBytes = 256 * 1024
    /// Bytes kept of responses that are not read, in all; above it those are reset that have moved least recently.
    public var unreadBytes = 256 << 20
    /// The same of one account, or of one address of guests.
    public var unreadBytesPerPayer = 8 << 20
    /// Bytes kept of requests that are coming in or being answered, in all; above it those are refused that have moved
    /// least recently.
    public var requestBytes = 256 << 20
    /// The same of one account, or of one address of guests.
    public var requestBytesPerPayer = 64 << 20
    /// How long open requests and sockets have once the server is to stop.
    public var drainTime = Duration.seconds(20)

    /// The defaults.
    public init() {}
}
