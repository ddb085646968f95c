/// One frame as it goes onto the wire: encoded once, and then the same bytes for every receiver.
public struct Frame: Sendable, Hashable {
    /// The kind of a frame; the numbers are those on the wire.
    public enum Opcode: UInt8, Sendable {
        /// A further piece of the current message.
        case continuation = 0
        /// A text message in UTF-8.
        case text = 1
        /// A binary message.
        case binary = 2
        /// The end of the conversation, with a code and a reason.
        case close = 8
        /// A check that the other end is there.
        case ping = 9
        /// The answer to a ping.
        case pong = 10

        /// Whether the frame is about the connection, rather than a piece of a message.
        public var isControl: Bool { rawValue >= 8 }
    }

    /// The shortest payload that is worth compressing, in bytes.
    private static let leastCompressed = 256

    /// The encoded bytes.
    public let bytes: [UInt8]
    /// The same message for receivers that have agreed to `Deflate` with the longest window; `nil` if it would not be
    /// shorter.
    public private(set) var compressed: [UInt8]?

    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - opcode: what it carries.
    ///   - payload: its bytes.
    ///   - isFinal: whether the message ends with it.
    ///   - isCompressed: whether RSV1 is set (permessage-deflate; on the first frame of a message).
    ///   - mask: a client's mask; a server's frames have none.
    public init(
        _ opcode: Opcode, _ payload: some Collection<UInt8>, isFinal: Bool = true, isCompressed: Bool = false,
        mask: UInt32? = nil
    ) {
        var bytes: [UInt8] = []
        let count = payload.count
        bytes.reserveCapacity(count + 14)
        bytes.append((isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch count {
        case ..<126:
            bytes.append(maskBit | UInt8(truncatingIfNeeded: count))
        case ..<65_536:
            bytes.append(maskBit | 126)
            Frame.append(count, bytes: 2, to: &bytes)
        default:
            bytes.append(maskBit | 127)
            Frame.append(count, bytes: 8, to: &bytes)
        }
        if let mask { Frame.append(Int(mask), bytes: 4, to: &bytes) }
        let start = bytes.count
        bytes.append(contentsOf: payload)
        if let mask { Masking.apply(mask, to: &bytes, start..<bytes.count) }
        self.bytes = bytes
    }

    /// Encodes a message in one frame for one receiver, compressed on the terms agreed with it if that is shorter.
    public init(_ opcode: Opcode, _ payload: [UInt8], by deflate: Deflate?) {
        if let deflate, payload.count >= Frame.leastCompressed,
            let short = Compression.deflate(payload, window: deflate.window)
        {
            self.init(opcode, short, isCompressed: true)
        } else {
            self.init(opcode, payload)
        }
    }

    /// Returns a text message in one frame for many receivers, some of them with compression.
    public static func text(_ text: [UInt8], alsoCompressed: Bool) -> Frame {
        var frame = Frame(.text, text)
        guard alsoCompressed, text.count >= leastCompressed else { return frame }
        frame.compressed = Compression.deflate(text, window: Deflate.longestWindow).map {
            Frame(.text, $0, isCompressed: true).bytes
        }
        return frame
    }

    /// Returns a text message in one frame. The caller makes sure that `text` is UTF-8.
    public static func text(_ text: some Collection<UInt8>) -> Frame { Frame(.text, text) }

    /// Returns a text message in one frame.
    public static func text(_ text: String) -> Frame { Frame(.text, text.utf8) }

    /// Returns a binary message in one frame.
    public static func binary(_ payload: some Collection<UInt8>) -> Frame { Frame(.binary, payload) }

    /// Returns a ping, with its payload cut to the 125 bytes that a ping may have.
    public static func ping(_ payload: [UInt8] = [], mask: UInt32? = nil) -> Frame {
        Frame(.ping, payload.prefix(125), mask: mask)
    }

    /// Returns a pong, with its payload cut to the 125 bytes that a pong may have.
    public static func pong(_ payload: [UInt8], mask: UInt32? = nil) -> Frame {
        Frame(.pong, payload.prefix(125), mask: mask)
    }

    /// Returns a close frame. A code that may not be sent is left out; a reason is cut to the 123 bytes it may have.
    public static func close(_ code: CloseCode?, reason: String = "", mask: UInt32? = nil) -> Frame {
        guard let code, code.isSendable else { return Frame(.close, [], mask: mask) }
        var text = reason[...]
        while text.utf8.count > 123 { text.removeLast() }
        return Frame(.close, [UInt8(code.number >> 8), UInt8(code.number & 0xFF)] + text.utf8, mask: mask)
    }

    private static func append(_ number: Int, bytes count: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
