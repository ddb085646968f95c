/// Why the server closes a connection. The number carries the verdict.
///
/// | Range | Verdict |
/// |---|---|
/// | 1000–1011 | a bug of the client: stop |
/// | 1012–1999 | reconnect with back-off |
/// | 4000–4499 | reconnect with back-off |
/// | 4500–4999 | stop until something changes |
///
/// | Code | Name | Meaning |
/// |---|---|---|
/// | 1003 | binary | a binary message; the protocol is text |
/// | 1007 | badText | a text message that is not UTF-8 |
/// | 1009 | tooBig | a message above the limit, or in too many fragments |
/// | 1012 | restart | the server stops; the end of a drain |
/// | 1013 | overloaded | the server cannot serve now; come back after 5 s or later |
/// | 4000 | internalError | a fault of the server |
/// | 4001 | helloTimeout | no `hello` in time |
/// | 4002 | tokenExpired | the session has come to its end, or to its idle end |
/// | 4003 | tooSlow | what was sent could not be flushed in time |
/// | 4004 | noPong | a `ping` stayed without `pong` |
/// | 4005 | rateLimited | too many messages for too long |
/// | 4006 | maximumAge | the connection has lived long enough; the next one may go to another node |
/// | 4500 | protocolError | the first message was no `hello`, or there was a second one |
/// | 4501 | tokenInvalid | the token of `hello` is not one, or no longer |
/// | 4503 | sessionRevoked | the session or API token was ended, or the account disabled; an API token has expired |
/// | 4504 | tooManyConnections | the account, or the address of a guest, has as many connections as it may |
public enum LiveCloseCode: UInt16, CaseIterable, Sendable {
    case binary = 1003
    case badText = 1007
    case tooBig = 1009
    case restart = 1012
    case overloaded = 1013
    case internalError = 4000
    case helloTimeout = 4001
    case tokenExpired = 4002
    case tooSlow = 4003
    case noPong = 4004
    case rateLimited = 4005
    case maximumAge = 4006
    case protocolError = 4500
    case tokenInvalid = 4501
    case sessionRevoked = 4503
    case tooManyConnections = 4504

    /// What refuses a request whose conversation is closed before its answer has begun.
    public var refusal: LiveErrorCode {
        switch self {
        case .sessionRevoked, .tokenExpired, .tokenInvalid: .unauthenticated
        default: .unavailable
        }
    }

    /// What a client does after a close.
    public enum Verdict: Sendable {
        /// Connect again, after a wait that grows.
        case reconnect
        /// Do not connect again until something has changed.
        case stop
    }

    /// What the client should do, as the range says.
    public var verdict: Verdict {
        switch rawValue {
        case 1012...1999, 4000...4499: .reconnect
        default: .stop
        }
    }
}
