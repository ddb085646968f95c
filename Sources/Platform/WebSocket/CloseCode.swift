/// The reason why a WebSocket was closed, as its number (RFC 6455, section 7.4).
public struct CloseCode: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: UInt16

    /// Creates the code with this number.
    public init(_ number: UInt16) { self.number = number }

    /// The number as text.
    public var description: String { String(number) }

    /// Whether a close frame may have the code; 1004–1006 and 1015 only describe closures.
    public var isSendable: Bool {
        switch number {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension CloseCode {
    /// 1000: the conversation is finished.
    public static let normal = CloseCode(1000)
    /// 1001: this end is going away.
    public static let goingAway = CloseCode(1001)
    /// 1002: the protocol was broken.
    public static let protocolError = CloseCode(1002)
    /// 1003: this kind of message is not accepted.
    public static let unsupportedData = CloseCode(1003)
    /// 1005, never sent: the close frame had no code.
    public static let noStatus = CloseCode(1005)
    /// 1006, never sent: the connection ended without a close frame.
    public static let abnormal = CloseCode(1006)
    /// 1007: the text was not UTF-8.
    public static let invalidPayload = CloseCode(1007)
    /// 1008: this is not allowed here.
    public static let policyViolation = CloseCode(1008)
    /// 1009: the message was too long or in too many pieces.
    public static let messageTooBig = CloseCode(1009)
    /// 1011: the server failed.
    public static let internalError = CloseCode(1011)
    /// 1012: the server restarts; connect again.
    public static let serviceRestart = CloseCode(1012)
    /// 1013: the server is overloaded; connect again later.
    public static let tryAgainLater = CloseCode(1013)
}
