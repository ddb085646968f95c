import HTTP

/// A request to an external service.
public struct OutboundRequest: Sendable, Equatable {
    /// The address.
    public var url: String
    /// Header fields, each a name and a value without line breaks.
    public var headers: [(name: String, value: String)]
    /// The body of a POST; `nil` for a GET.
    public var body: [UInt8]?

    /// Creates a GET.
    public init(_ url: String, headers: [(name: String, value: String)] = []) {
        self.url = url
        self.headers = headers
    }

    /// Creates a POST of a form.
    public init(
        posting form: [(name: String, value: String)], to url: String, headers: [(name: String, value: String)] = []
    ) {
        self.url = url
        self.headers = headers + [("Content-Type", "application/x-www-form-urlencoded")]
        body = Array(Self.text(of: form).utf8)
    }

    /// Creates a POST of a JSON document.
    public init(
        posting json: [UInt8], to url: String, headers: [(name: String, value: String)] = []
    ) {
        self.url = url
        self.headers = headers + [("Content-Type", "application/json")]
        body = json
    }

    /// Returns a form as it is written in a body or a query.
    public static func text(of form: [(name: String, value: String)]) -> String {
        form.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    /// Returns whether two requests are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.body == right.body && left.headers.count == right.headers.count
            && zip(left.headers, right.headers).allSatisfy { $0 == $1 }
    }
}

/// The answer of an external service.
public struct OutboundResponse: Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// The body.
    public let body: [UInt8]
    /// The seconds after which the service asks to try again (`Retry-After`); `nil` if it does not.
    public let retryAfter: Int?

    /// Creates an answer.
    public init(status: Int, body: [UInt8], retryAfter: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}

/// The reason why there is no answer.
public enum OutboundError: Error, Sendable, Equatable {
    /// The address is not allowed: it is neither `https` nor plain `http` to this machine.
    case addressRefused
    /// The host is in a network that is not allowed.
    case networkRefused
    /// The answer is longer than the limit.
    case tooLarge
    /// It took too long.
    case timedOut
    /// Too many requests are waiting already.
    case busy
    /// The name service does not know the host.
    case nameUnknown
    /// The host accepts no connection.
    case unreachable
    /// There is no secure connection (TLS), in libcurl's words; most often because a certificate is not trusted.
    case untrusted(String)
    /// Something else, in libcurl's words.
    case failed(String)
    /// The caller's task was cancelled meanwhile.
    case cancelled
}
