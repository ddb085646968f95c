/// A complete request: within the limits, parsed, and with its whole body.
///
/// A class, because it never changes and much code refers to it while it is answered.
public final class Request: Sendable {
    /// Method, target and fields.
    public let head: RequestHead
    /// The body without its framing; empty when there is none.
    public let body: [UInt8]
    /// The address at the other end of the connection (a proxy's, if there is one).
    public let peer: IPAddress

    /// Creates a request from its parts.
    public init(head: RequestHead, body: [UInt8] = [], peer: IPAddress = .unspecified) {
        self.head = head
        self.body = body
        self.peer = peer
    }

    /// The method.
    public var method: Method { head.method }
    /// The target.
    public var target: Target { head.target }
    /// The header fields.
    public var headers: Headers { head.headers }
}
