import Testing

@testable import WebSocket

/// What a decoder says about one connection's bytes.
struct Decoding: Equatable {
    var events: [FrameDecoder.Event] = []
    var violation: Violation?

    init(
        _ bytes: [UInt8], pieces size: Int = .max, role: FrameDecoder.Role = .client,
        limits: FrameDecoder.Limits = FrameDecoder.Limits()
    ) {
        var decoder = FrameDecoder(role: role, limits: limits)
        var start = 0
        while start < bytes.count, violation == nil {
            let end = size < bytes.count - start ? start + size : bytes.count
            let piece = Array(bytes[start..<end])
            start = end
            var position = 0
            do throws(Violation) {
                while let event = try decoder.next(in: piece.span, at: &position) { events.append(event) }
            } catch {
                violation = error
            }
        }
    }
}

@Suite struct `The frame decoder` {
    private static let hello = Array("hello".utf8)

    static let streams: [(bytes: [UInt8], events: [FrameDecoder.Event])] = [
        (Frame.text("hello").bytes, [.message(Message(.text, hello))]),
        (Frame.text("").bytes, [.message(Message(.text, []))]),
        (Frame.binary([0, 255]).bytes, [.message(Message(.binary, [0, 255]))]),
        (
            Frame.binary([UInt8](repeating: 1, count: 126)).bytes,
            [.message(Message(.binary, Array(repeating: 1, count: 126)))]
        ),
        (
            Frame(.text, "hel".utf8, isFinal: false).bytes + Frame.ping([1]).bytes
                + Frame(.continuation, [], isFinal: false).bytes + Frame(.continuation, "lo".utf8).bytes,
            [.ping([1]), .message(Message(.text, hello))]
        ),
        (
            // A character may be cut by a frame.
            Frame(.text, [0xE2, 0x82], isFinal: false).bytes + Frame(.continuation, [0xAC]).bytes,
            [.message(Message(.text, [0xE2, 0x82, 0xAC]))]
        ),
        (
            Frame.pong([]).bytes + Frame.close(.normal, reason: "bye").bytes,
            [.pong([]), .close(.normal, reason: "bye")]
        ),
        (Frame.close(nil).bytes, [.close(.noStatus, reason: "")]),
    ]

    @Test(arguments: streams) func `says the same however the bytes are cut`(
        bytes: [UInt8], events: [FrameDecoder.Event]
    ) {
        for size in 1...bytes.count {
            let decoding = Decoding(bytes, pieces: size)
            #expect(decoding.events == events)
            #expect(decoding.violation == nil)
        }
    }

    @Test func `takes masks off, at any cut`() {
        let text = Array("A masked message of some length, é€😀".utf8)
        let bytes = Frame(.text, text, mask: 0xA1B2_C3D4).bytes + Frame.ping([9, 8, 7], mask: 1).bytes
        for size in 1...bytes.count {
            #expect(
                Decoding(bytes, pieces: size, role: .server).events == [
                    .message(Message(.text, text)), .ping([9, 8, 7]),
                ])
        }
    }

    static let violations: [([UInt8], Violation)] = [
        ([0x91, 0x00], .reservedBits), ([0xC1, 0x00], .reservedBits), ([0xA1, 0x00], .reservedBits),
        ([0x83, 0x00], .opcode), ([0x8B, 0x00], .opcode), ([0x8F, 0x00], .opcode),
        ([0x81, 0x80], .masking),
        ([0x09, 0x00], .controlFrame), ([0x08, 0x00], .controlFrame), ([0x89, 126], .controlFrame),
        ([0x88, 127], .controlFrame),
        ([0x80, 0x00], .fragmentation), ([0x01, 0x00, 0x81, 0x00], .fragmentation),
        ([0x81, 126, 0, 125], .length), ([0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .length),
        ([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .length),
        ([0x81, 126, 0x40, 0x01], .messageTooLong(limit: 16_384)),
        ([0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .messageTooLong(limit: 16_384)),
        ([0x88, 0x01, 0x03], .closeCode),
        ([0x81, 0x01, 0x80], .text), ([0x81, 0x02, 0xC0, 0x80], .text), ([0x81, 0x03, 0xED, 0xA0, 0x80], .text),
        ([0x81, 0x04, 0xF4, 0x90, 0x80, 0x80], .text), ([0x81, 0x02, 0xE2, 0x82], .text),
        ([0x81, 0x01, 0xFF], .text), ([0x88, 0x03, 0x03, 0xE8, 0x80], .text),
        // Failing fast: the rest of the frame never comes.
        ([0x81, 0x05, 0x61, 0xF5], .text),
    ]

    @Test(arguments: violations) func `refuses what breaks the protocol`(bytes: [UInt8], violation: Violation) {
        #expect(Decoding(bytes).violation == violation)
        #expect(Decoding(bytes, pieces: 1).violation == violation)
    }

    @Test func `refuses unmasked frames from a client`() {
        #expect(Decoding(Frame.text("x").bytes, role: .server).violation == .masking)
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16])
    func `refuses close codes that may not be sent`(code: UInt16) {
        let bytes = [0x88, 0x02, UInt8(code >> 8), UInt8(code & 0xFF)]
        #expect(Decoding(bytes).violation == .closeCode)
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1011, 1012, 1014, 3000, 3999, 4000, 4999] as [UInt16])
    func `takes close codes that may be sent`(code: UInt16) {
        let bytes = [0x88, 0x02, UInt8(code >> 8), UInt8(code & 0xFF)]
        #expect(Decoding(bytes).events == [.close(CloseCode(code), reason: "")])
    }

    @Test func `bounds a message over all its frames`() {
        let limits = FrameDecoder.Limits(message: 4)
        let first = Frame(.binary, [1, 2, 3], isFinal: false).bytes
        #expect(Decoding(first + Frame(.continuation, [4]).bytes, limits: limits).events.count == 1)
        #expect(
            Decoding(first + Frame(.continuation, [4, 5]).bytes, limits: limits).violation == .messageTooLong(limit: 4))
    }

    @Test func `bounds the number of frames of a message`() {
        func frames(_ count: Int) -> [UInt8] {
            Frame(.text, [], isFinal: false).bytes
                + (0..<(count - 2)).flatMap { _ in Frame(.continuation, [], isFinal: false).bytes }
                + Frame(.continuation, []).bytes
        }
        #expect(Decoding(frames(32)).events.count == 1)
        #expect(Decoding(frames(33)).violation == .tooManyFragments(limit: 32))
    }

    @Test func `takes RSV1 for compression once that is negotiated, on first frames only`() {
        let limits = FrameDecoder.Limits(allowsCompression: true)
        let compressed = Frame(.text, [0xFF], isCompressed: true).bytes
        #expect(Decoding(compressed, limits: limits).events == [.message(Message(.text, [0xFF], isCompressed: true))])
        #expect(Decoding([0x01, 0x00, 0xC0, 0x00], limits: limits).violation == .reservedBits)
        #expect(Decoding([0xC9, 0x00], limits: limits).violation == .reservedBits)
    }

    @Test func `survives ten thousand mutations, the same however they are cut`() {
        var chance = SystemRandomNumberGenerator()
        let seeds = Self.streams.map(\.bytes) + Self.violations.map(\.0)
        for _ in 0..<10_000 {
            var bytes = (0..<3).flatMap { _ in seeds[Int.random(in: 0..<seeds.count, using: &chance)] }
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            let size = Int.random(in: 1...9, using: &chance)
            #expect(Decoding(bytes, pieces: size) == Decoding(bytes), "\(bytes) by \(size)")
        }
    }
}
