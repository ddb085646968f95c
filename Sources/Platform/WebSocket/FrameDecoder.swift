/// Turns the bytes of one end into messages and control frames: strict, incremental and bounded.
///
/// Only the message in progress is buffered, so an idle connection costs no memory beyond this value. A length is
/// refused when it is announced, and text at its first wrong byte.
public struct FrameDecoder: Sendable {
    /// The end that receives.
    public enum Role: Sendable {
        /// Receives masked frames.
        case server
        /// Receives plain frames.
        case client
    }

    /// The limits on received messages.
    public struct Limits: Sendable, Hashable {
        // In 32 bits, because every connection has them.
        private var messageBytes: UInt32
        private var messageFragments: UInt32
        /// Whether RSV1 was negotiated to mean a compressed message.
        public var allowsCompression: Bool

        /// Bytes of a message; at most 4 GiB less one byte.
        public var message: Int {
            get { Int(messageBytes) }
            set { messageBytes = UInt32(clamping: newValue) }
        }

        /// Frames of a message; at most 2³² − 1.
        public var fragments: Int {
            get { Int(messageFragments) }
            set { messageFragments = UInt32(clamping: newValue) }
        }

        /// Creates limits; by default the live protocol's.
        public init(message: Int = 16 * 1024, fragments: Int = 32, allowsCompression: Bool = false) {
            messageBytes = UInt32(clamping: message)
            messageFragments = UInt32(clamping: fragments)
            self.allowsCompression = allowsCompression
        }
    }

    /// What has been received.
    public enum Event: Hashable, Sendable {
        /// A whole message.
        case message(Message)
        /// A ping, which is to be answered with a pong of the same payload.
        case ping([UInt8])
        /// The answer to a ping, or an unsolicited sign of life.
        case pong([UInt8])
        /// The last frame of the other end; `code` is `noStatus` if it has none.
        case close(CloseCode, reason: String)
    }

    private enum Stage {
        case opcode
        case length
        /// `remaining` bytes of the length are to come; `isLong` if it has eight in all, not two.
        case extendedLength(value: UInt64, remaining: UInt8, isLong: Bool)
        case mask(value: UInt32, remaining: UInt8)
        case payload
    }

    private struct MessageUnderWay {
        var payload: [UInt8] = []
        var fragments = 0
        let kind: Message.Kind
        let isCompressed: Bool
        var validator = UTF8Validator()
    }

    // There are very many decoders, so these properties are in an order that leaves no gaps in memory.
    private var stage = Stage.opcode
    /// The kind of the frame in progress.
    private var opcode = Frame.Opcode.continuation
    private let limits: Limits
    private let role: Role
    /// Whether the frame in progress is the last of its message.
    private var isFinal = false
    /// The mask of the next byte, and of those that follow it.
    private var mask: UInt32 = 0
    /// How many bytes of the frame's payload are to come.
    private var left = 0
    private var control: [UInt8] = []
    private var message: MessageUnderWay?

    /// The most bytes of a message.
    var messageLimit: Int { limits.message }

    /// Creates a decoder at the start of a conversation.
    public init(role: Role = .server, limits: Limits = Limits()) {
        self.role = role
        self.limits = limits
    }

    /// Reads received bytes.
    ///
    /// - Parameters:
    ///   - bytes: what was received.
    ///   - position: where to continue; moves past what was read.
    /// - Returns: what is complete now, or `nil` when `bytes` are used up.
    public mutating func next(in bytes: Span<UInt8>, at position: inout Int) throws(Violation) -> Event? {
        while position < bytes.count {
            if case .payload = stage {
                let end = position + min(left, bytes.count - position)
                try take(bytes, position..<end)
                position = end
            } else {
                let byte = bytes[position]
                position += 1
                try header(byte)
            }
            if case .payload = stage, left == 0 {
                stage = .opcode
                if let event = try finishFrame() { return event }
            }
        }
        return nil
    }
}

// The header of a frame.
extension FrameDecoder {
    private mutating func header(_ byte: UInt8) throws(Violation) {
        switch stage {
        case .opcode: try readOpcode(byte)
        case .length: try readLength(byte)
        case .extendedLength(let value, let remaining, let isLong):
            let value = value << 8 | UInt64(byte)
            if remaining > 1 {
                stage = .extendedLength(value: value, remaining: remaining - 1, isLong: isLong)
            } else {
                guard value >= (isLong ? 65_536 : 126), value >> 63 == 0 else { throw .length }
                try finishLength(value)
            }
        case .mask(let value, let remaining):
            mask = value << 8 | UInt32(byte)
            stage = remaining > 1 ? .mask(value: mask, remaining: remaining - 1) : .payload
        case .payload: break
        }
    }

    private mutating func readOpcode(_ byte: UInt8) throws(Violation) {
        guard let opcode = Frame.Opcode(rawValue: byte & 0x0F) else { throw .opcode }
        isFinal = byte & 0x80 != 0
        let isCompressed = byte & 0x40 != 0
        guard byte & 0x30 == 0 else { throw .reservedBits }
        if isCompressed {
            guard limits.allowsCompression, opcode == .text || opcode == .binary else { throw .reservedBits }
        }
        switch opcode {
        case .text, .binary:
            guard message == nil else { throw .fragmentation }
            message = MessageUnderWay(kind: opcode == .text ? .text : .binary, isCompressed: isCompressed)
        case .continuation:
            guard message != nil else { throw .fragmentation }
        case .close, .ping, .pong:
            guard isFinal else { throw .controlFrame }
        }
        if !opcode.isControl {
            message?.fragments += 1
            if let message, message.fragments > limits.fragments {
                throw .tooManyFragments(limit: limits.fragments)
            }
        }
        self.opcode = opcode
        stage = .length
    }

    private mutating func readLength(_ byte: UInt8) throws(Violation) {
        guard (byte & 0x80 != 0) == (role == .server) else { throw .masking }
        let short = byte & 0x7F
        guard short < 126 || !opcode.isControl else { throw .controlFrame }
        switch short {
        case 126: stage = .extendedLength(value: 0, remaining: 2, isLong: false)
        case 127: stage = .extendedLength(value: 0, remaining: 8, isLong: true)
        default: try finishLength(UInt64(short))
        }
    }

    private mutating func finishLength(_ value: UInt64) throws(Violation) {
        if !opcode.isControl {
            let room = limits.message - (message?.payload.count ?? 0)
            guard value <= UInt64(max(room, 0)) else { throw .messageTooLong(limit: limits.message) }
        }
        left = Int(clamping: value)
        stage = role == .server ? .mask(value: 0, remaining: 4) : .payload
    }
}

// The payload of a frame.
extension FrameDecoder {
    private mutating func take(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Violation) {
        let mask = role == .server ? mask : nil
        if opcode.isControl {
            Self.append(bytes, range, mask, to: &control)
        } else if var message = message.take() {
            let start = message.payload.count
            Self.append(bytes, range, mask, to: &message.payload)
            if message.kind == .text, !message.isCompressed {
                guard message.validator.accept(message.payload[start...]) else { throw .text }
            }
            self.message = message
        }
        left -= range.count
        self.mask = Masking.turn(self.mask, by: range.count)
    }

    /// Appends received bytes without their mask.
    private static func append(_ bytes: Span<UInt8>, _ range: Range<Int>, _ mask: UInt32?, to target: inout [UInt8]) {
        let start = target.count
        bytes.extracting(range).withUnsafeBufferPointer { target.append(contentsOf: $0) }
        if let mask { Masking.apply(mask, to: &target, start..<target.count) }
    }

    private mutating func finishFrame() throws(Violation) -> Event? {
        guard opcode.isControl else {
            guard isFinal, let whole = message.take() else { return nil }
            guard whole.validator.isComplete else { throw .text }
            return .message(Message(whole.kind, whole.payload, isCompressed: whole.isCompressed))
        }
        let payload = control
        control = []
        switch opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        default: return try close(payload)
        }
    }

    private func close(_ payload: [UInt8]) throws(Violation) -> Event {
        guard payload.count >= 2 else {
            guard payload.isEmpty else { throw .closeCode }
            return .close(.noStatus, reason: "")
        }
        let code = CloseCode(UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else { throw .closeCode }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .text }
        return .close(code, reason: reason)
    }
}
