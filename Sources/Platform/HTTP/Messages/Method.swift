/// The method of a request.
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
    /// Ask which methods are allowed.
    case options
    /// Any other token, such as `TRACE`; case matters.
    case other(String)

    /// The method as in a request line.
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

    /// Reads the name of a method.
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
