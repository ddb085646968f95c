/// One whole message as the other end meant it.
public struct Message: Hashable, Sendable {
    /// What its bytes are.
    public enum Kind: Hashable, Sendable {
        /// UTF-8, checked.
        case text
        /// Anything.
        case binary
    }

    /// What the bytes are.
    public let kind: Kind
    /// The bytes, fragments joined.
    public let payload: [UInt8]
    /// Whether the first frame had RSV1 set: the payload is compressed, and the text in it is not checked yet.
    /// Only when `FrameDecoder.Limits.allowsCompression` was negotiated.
    public let isCompressed: Bool

    /// A message of the given parts.
    public init(_ kind: Kind, _ payload: [UInt8], isCompressed: Bool = false) {
        self.kind = kind
        self.payload = payload
        self.isCompressed = isCompressed
    }
}
