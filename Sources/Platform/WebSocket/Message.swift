/// A complete message.
public struct Message: Hashable, Sendable {
    /// The kind of a message.
    public enum Kind: Hashable, Sendable {
        /// Text in UTF-8, checked.
        case text
        /// Any bytes.
        case binary
    }

    /// The kind of the message.
    public let kind: Kind
    /// The bytes of all fragments, joined.
    public let payload: [UInt8]
    /// Whether the first frame had RSV1 set: the payload is compressed, and the text in it is not checked yet.
    /// Only when `FrameDecoder.Limits.allowsCompression` was negotiated.
    public let isCompressed: Bool

    /// Creates a message from its parts.
    public init(_ kind: Kind, _ payload: [UInt8], isCompressed: Bool = false) {
        self.kind = kind
        self.payload = payload
        self.isCompressed = isCompressed
    }
}
