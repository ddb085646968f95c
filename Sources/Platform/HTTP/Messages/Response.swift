/// One whole response, before it becomes bytes.
///
/// `Date`, `Content-Length`, `Connection` and `Transfer-Encoding` are the serialiser's and are not set here.
public struct Response: Sendable, Equatable {
    /// The outcome.
    public var status: Status
    /// The header fields.
    public var headers: Headers
    /// The body; its bytes are shared with other holders until one of them changes them.
    public var body: [UInt8]
    /// Whether the application keeps the body's bytes anyway, so that they cost nothing while a client does not read.
    public var isBodyKept = false

    /// A response of the given parts.
    public init(_ status: Status, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a body of the given type.
    public init(_ status: Status, type: String, body: [UInt8]) {
        self.init(status, body: body)
        headers.append("Content-Type", type)
    }

    /// A response of plain text.
    public init(_ status: Status, text: String) {
        self.init(status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }
}
