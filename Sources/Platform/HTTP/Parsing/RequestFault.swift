/// The reason why a request was refused before its route was looked up. Each of these ends the connection, because
/// after a framing error it is unknown where the next request begins.
public enum RequestFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first line is not `method target version`, or does not end in CR LF.
    case requestLine
    /// The target's escapes, form or bytes are wrong.
    case target
    /// The version is neither HTTP/1.1 nor HTTP/1.0.
    case version
    /// The request line is longer than the limit.
    case requestLineTooLong
    /// A header or trailer line is malformed: bare LF, folding, a blank before the colon, a control character …
    case headerField
    /// The header fields are too many or too long for the limit.
    case headersTooLarge
    /// `Host` is missing, repeated or malformed.
    case host
    /// The end of the body is ambiguous: lengths are repeated, malformed, or next to a transfer coding.
    case framing
    /// A chunk's size line or end is malformed.
    case chunk
    /// The body is longer than the route allows.
    case bodyTooLarge(limit: Int)
    /// An expectation other than `100-continue`.
    case expectation

    /// The status of the answer.
    public var status: Status {
        switch self {
        case .requestLine, .target, .headerField, .host, .framing, .chunk: .badRequest
        case .version: .versionNotSupported
        case .requestLineTooLong: .uriTooLong
        case .headersTooLarge: .headerFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .expectation: .expectationFailed
        }
    }

    /// The fault, in English.
    public var description: String {
        switch self {
        case .requestLine: "The request line is malformed."
        case .target: "The request target is malformed."
        case .version: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .requestLineTooLong: "The request line is too long."
        case .headerField: "A header field is malformed."
        case .headersTooLarge: "The header fields are too many or too long."
        case .host: "The Host field is missing, repeated or malformed."
        case .framing: "The length of the body is ambiguous or malformed."
        case .chunk: "A chunk of the body is malformed."
        case .bodyTooLarge(let limit): "The body is longer than \(limit) bytes."
        case .expectation: "Only the expectation 100-continue is understood."
        }
    }
}
