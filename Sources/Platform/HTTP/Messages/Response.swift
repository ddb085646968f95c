/// A complete response, before it becomes bytes.
///
/// The serialiser sets `Date`, `Content-Length`, `Connection` and `Transfer-Encoding`, so they are not set here.
public struct Response: Sendable, Equatable {
    /// The status.
    public var status: Status
    /// The header fields.
    public var headers: Headers
    /// The body; its bytes are shared until a holder changes them.
    public var body: [UInt8]
    /// Whether the application keeps the body's bytes anyway, so that they cost no memory while the client does not
    /// read.
    public var isBodyKept = false

    /// Creates a response from its parts.
    public init(_ status: Status, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a body of the given type.
    public init(_ status: Status, type: String, body: [UInt8]) {
        self.init(status, body: body)
        headers.append("Content-Type", type)
    }

    /// Creates a response of plain text.
    public init(_ status: Status, text: String) {
        self.init(status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }
}
