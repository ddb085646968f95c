/// A request without its body, checked: it has one target, and it is clear where its body ends.
public struct RequestHead: Sendable, Equatable {
    /// The two versions this server speaks.
    public enum Version: Sendable {
        /// HTTP/1.0: the connection closes unless the client asks to keep it open; there are no chunks.
        case http10
        /// HTTP/1.1.
        case http11
    }

    /// Where the body ends.
    public enum Framing: Hashable, Sendable {
        /// After so many bytes; 0 if there is no body.
        case length(Int)
        /// After the last chunk.
        case chunked
    }

    /// The method.
    public let method: Method
    /// The target.
    public let target: Target
    /// The version that the client speaks.
    public let version: Version
    /// The header fields.
    public let headers: Headers
    /// Where the body ends.
    public let framing: Framing
    /// Whether the client waits for `100 Continue` before it sends the body.
    public let expectsContinue: Bool
    /// Whether the client is willing to send another request on this connection.
    public let isKeepAlive: Bool

    /// Whether a body follows.
    public var hasBody: Bool { framing != .length(0) }
}
