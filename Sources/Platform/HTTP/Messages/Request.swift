/// One whole request: bounded, parsed, and all of its body there.
///
/// An object, because it never changes and many hold it while it is answered.
public final class Request: Sendable {
    /// Method, target and fields.
    public let head: RequestHead
    /// The body without its framing; empty when there is none.
    public let body: [UInt8]
    /// Who is at the other end of the connection (a proxy, if there is one).
    public let peer: IPAddress

    /// A request put together from its parts.
    public init(head: RequestHead, body: [UInt8] = [], peer: IPAddress = .unspecified) {
        self.head = head
        self.body = body
        self.peer = peer
    }

    /// What is wanted.
    public var method: Method { head.method }
    /// Of what.
    public var target: Target { head.target }
    /// The header fields.
    public var headers: Headers { head.headers }
}
