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
        /// Bytes of a message.
        public var message: Int
        /// Frames of a message.
        public var fragments: Int
        /// Whether RSV1 was negotiated to mean a compressed message.
        public var allowsCompression: Bool

        /// Creates limits; the defaults are those of the live protocol.
        public init(message: Int = 16 * 1024, fragments: Int = 32, allowsCompression: Bool = false) {
            self.message = message
            self.fragments = fragments
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
        case extendedLength(remaining: Int, value: UInt64, least: UInt64)
        case mask(remaining: Int, value: UInt32)
        case payload
    }

    private struct MessageUnderWay {
        let kind: Message.Kind
        let isCompressed: Bool
        var payload: [UInt8] = []
        var fragments = 0
        var validator = UTF8Validator()
    }

    private let role: Role
    private let limits: Limits
    private var stage = Stage.opcode
    // The frame in progress.
    private var opcode = Frame.Opcode.continuation
    private var isFinal = false
    private var mask: UInt32 = 0
    private var length = 0
    private var received = 0
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
    ///   - position: where to continue; moved behind what was read.
    /// - Returns: what is complete now, or `nil` when `bytes` are used up.
    public mutating func next(in bytes: Span<UInt8>, at position: inout Int) throws(Violation) -> Event? {
        while position < bytes.count {
            if case .payload = stage {
                let end = position + min(length - received, bytes.count - position)
                try take(bytes, position..<end)
                position = end
            } else {
                let byte = bytes[position]
                position += 1
                try header(byte)
            }
            if case .payload = stage, received == length {
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
        case .extendedLength(let remaining, let value, let least):
            let value = value << 8 | UInt64(byte)
            if remaining > 1 {
                stage = .extendedLength(remaining: remaining - 1, value: value, least: least)
            } else {
                guard value >= least, value >> 63 == 0 else { throw .length }
                try finishLength(value)
            }
        case .mask(let remaining, let value):
            mask = value << 8 | UInt32(byte)
            stage = remaining > 1 ? .mask(remaining: remaining - 1, value: mask) : .payload
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
        case 126: stage = .extendedLength(remaining: 2, value: 0, least: 126)
        case 127: stage = .extendedLength(remaining: 8, value: 0, least: 65_536)
        default: try finishLength(UInt64(short))
        }
    }

    private mutating func finishLength(_ value: UInt64) throws(Violation) {
        if !opcode.isControl {
            let room = limits.message - (message?.payload.count ?? 0)
            guard value <= UInt64(max(room, 0)) else { throw .messageTooLong(limit: limits.message) }
        }
        length = Int(clamping: value)
        received = 0
        stage = role == .server ? .mask(remaining: 4, value: 0) : .payload
    }
}

// The payload of a frame.
extension FrameDecoder {
    private mutating func take(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Violation) {
        if opcode.isControl {
            append(bytes, range, to: &control)
        } else if var message = message.take() {
            let start = message.payload.count
            append(bytes, range, to: &message.payload)
            if message.kind == .text, !message.isCompressed {
                guard message.validator.accept(message.payload[start...]) else { throw .text }
            }
            self.message = message
        }
        received += range.count
    }

    private func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to target: inout [UInt8]) {
        let start = target.count
        bytes.extracting(range).withUnsafeBufferPointer { target.append(contentsOf: $0) }
        if role == .server { Masking.apply(mask, from: received, to: &target, start..<target.count) }
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
