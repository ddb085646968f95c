/// What a request wants done.
public enum Method: Hashable, Sendable, CustomStringConvertible {
    /// Read.
    case get
    /// Read, but answer without the body.
    case head
    /// Create or do.
    case post
    /// Replace.
    case put
    /// Change in part.
    case patch
    /// Remove.
    case delete
    /// Ask what may be done.
    case options
    /// Any other token, such as `TRACE`; case matters.
    case other(String)

    /// The method as it stands in a request line.
    public var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other(let name): name
        }
    }

    /// The method named by `text`.
    public init(_ text: String) {
        switch text {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "PUT": self = .put
        case "PATCH": self = .patch
        case "DELETE": self = .delete
        case "OPTIONS": self = .options
        default: self = .other(text)
        }
    }
}
