/// A breach of RFC 6455, or of a limit, by the other end. It ends the conversation with `closeCode`.
public enum Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// A reserved bit without an extension that gives it a meaning.
    case reservedBits
    /// An opcode that RFC 6455 does not define.
    case opcode
    /// A frame that should be masked and is not, or vice versa.
    case masking
    /// A control frame that is fragmented or longer than 125 bytes.
    case controlFrame
    /// A continuation of nothing, or a new message within another.
    case fragmentation
    /// A length that takes more bytes than it needs, or with its highest bit set.
    case length
    /// A close frame of one byte, or with a code that may not be sent.
    case closeCode
    /// Text that is not UTF-8.
    case text
    /// A payload that is marked as compressed and is not.
    case compression
    /// A message longer than the limit.
    case messageTooLong(limit: Int)
    /// A message in more frames than the limit.
    case tooManyFragments(limit: Int)

    /// The code with which the conversation is closed.
    public var closeCode: CloseCode {
        switch self {
        case .text, .compression: .invalidPayload
        case .messageTooLong, .tooManyFragments: .messageTooBig
        case .reservedBits, .opcode, .masking, .controlFrame, .fragmentation, .length, .closeCode: .protocolError
        }
    }

    /// What was wrong, in English; short enough for a close frame.
    public var description: String {
        switch self {
        case .reservedBits: "reserved bits are set"
        case .opcode: "unknown opcode"
        case .masking: "wrong masking"
        case .controlFrame: "malformed control frame"
        case .fragmentation: "fragments out of order"
        case .length: "malformed length"
        case .closeCode: "malformed close frame"
        case .text: "text is not UTF-8"
        case .compression: "malformed compression"
        case .messageTooLong(let limit): "message longer than \(limit) bytes"
        case .tooManyFragments(let limit): "message of more than \(limit) fragments"
        }
    }
}
