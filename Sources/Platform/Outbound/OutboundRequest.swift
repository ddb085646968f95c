import HTTP

/// A request to a service outside.
public struct OutboundRequest: Sendable, Equatable {
    /// The address.
    public var url: String
    /// Header fields, each a name and a value without line breaks.
    public var headers: [(name: String, value: String)]
    /// The body of a POST; `nil` is a GET.
    public var body: [UInt8]?

    /// A GET.
    public init(_ url: String, headers: [(name: String, value: String)] = []) {
        self.url = url
        self.headers = headers
    }

    /// A POST of a form.
    public init(
        posting form: [(name: String, value: String)], to url: String, headers: [(name: String, value: String)] = []
    ) {
        self.url = url
        self.headers = headers + [("Content-Type", "application/x-www-form-urlencoded")]
        body = Array(Self.text(of: form).utf8)
    }

    /// A form as it stands in a body or a query.
    public static func text(of form: [(name: String, value: String)]) -> String {
        form.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    /// Whether two requests are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.body == right.body && left.headers.count == right.headers.count
            && zip(left.headers, right.headers).allSatisfy { $0 == $1 }
    }
}

/// What a service outside answered.
public struct OutboundResponse: Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// The body.
    public let body: [UInt8]

    /// An answer.
    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Why there is no answer.
public enum OutboundError: Error, Sendable, Equatable {
    /// The address is not one that the client goes to: another scheme than `https`, or plain `http` to another machine.
    case addressRefused
    /// The host lies in a network that is not allowed.
    case networkRefused
    /// The answer has more bytes than are read.
    case tooLarge
    /// It took too long.
    case timedOut
    /// As many requests are waiting as may.
    case busy
    /// The name service does not know the host.
    case nameUnknown
    /// The host takes no connection.
    case unreachable
    /// There is no secure connection (TLS), in libcurl's words: above all a certificate that is not believed.
    case untrusted(String)
    /// Something else, in libcurl's words.
    case failed(String)
}
