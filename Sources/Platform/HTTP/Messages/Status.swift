/// The status of a response as its three-digit number.
public struct Status: Hashable, Sendable, CustomStringConvertible {
    /// The number, 100…599.
    public let code: Int

    /// Creates a status from its number; the reason phrase follows from it.
    public init(_ code: Int) { self.code = code }

    /// The number and its phrase, as in a status line.
    public var description: String { "\(code) \(phrase)" }

    /// Whether a message with this status never has a body (1xx, 204, 304).
    public var isBodiless: Bool { code < 200 || code == 204 || code == 304 }

    /// The phrase of the registry, empty for a number it does not list.
    public var phrase: String {
        switch code {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        default: errorPhrase
        }
    }

    private var errorPhrase: String {
        switch code {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: ""
        }
    }
}

extension Status {
    /// 101: the connection speaks another protocol from here on.
    public static let switchingProtocols = Status(101)
    /// 200.
    public static let ok = Status(200)
    /// 201: something was created.
    public static let created = Status(201)
    /// 202: accepted, but not done yet.
    public static let accepted = Status(202)
    /// 204: done; there is no body.
    public static let noContent = Status(204)
    /// 303: the answer is at another address, to be read with GET.
    public static let seeOther = Status(303)
    /// 304: the client's copy is current.
    public static let notModified = Status(304)
    /// 400: the request is malformed.
    public static let badRequest = Status(400)
    /// 401: the caller is not authenticated.
    public static let unauthorized = Status(401)
    /// 403: the caller is not allowed to do this.
    public static let forbidden = Status(403)
    /// 404: there is no such thing, or the caller may not know of it.
    public static let notFound = Status(404)
    /// 405: the method is not supported; `Allow` lists those that are.
    public static let methodNotAllowed = Status(405)
    /// 408: the request took too long to arrive.
    public static let requestTimeout = Status(408)
    /// 409: the resource has changed in the meantime.
    public static let conflict = Status(409)
    /// 413: the body is longer than this route allows.
    public static let contentTooLarge = Status(413)
    /// 414: the request line is too long.
    public static let uriTooLong = Status(414)
    /// 415: the media type is not supported.
    public static let unsupportedMediaType = Status(415)
    /// 417: an `Expect` other than `100-continue`.
    public static let expectationFailed = Status(417)
    /// 421: this server does not answer for that host.
    public static let misdirectedRequest = Status(421)
    /// 422: well-formed, but invalid.
    public static let unprocessableContent = Status(422)
    /// 426: another version of the protocol is needed.
    public static let upgradeRequired = Status(426)
    /// 429: too many requests.
    public static let tooManyRequests = Status(429)
    /// 431: the header fields are too long or too many.
    public static let headerFieldsTooLarge = Status(431)
    /// 500: the server failed.
    public static let internalServerError = Status(500)
    /// 503: the server cannot answer at the moment.
    public static let serviceUnavailable = Status(503)
    /// 505: neither HTTP/1.1 nor HTTP/1.0.
    public static let versionNotSupported = Status(505)
    /// 507: the disk is full.
    public static let insufficientStorage = Status(507)
}
