import Testing

@testable import WebSocket

@Suite struct `A compressed payload` {
    private static let hello = Array("Hello".utf8)

    private func inflate(_ payload: [UInt8], limit: Int = 1 << 20) throws(Violation) -> [UInt8] {
        try Compression.inflate(payload, limit: limit)
    }

    // The payloads of RFC 7692, section 7.2.3.
    @Test(
        arguments: [
            [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        ] as [[UInt8]]) func `restores what the standard shows`(payload: [UInt8]) throws
    {
        #expect(try inflate(payload) == Self.hello)
    }

    @Test func `restores what it has made, with every window`() throws {
        for count in [0, 1, 300, 5000, 70_000] {
            let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 977) }
            for window in 9...15 {
                guard let short = Compression.deflate(payload, window: window) else { continue }
                #expect(short.count < payload.count)
                #expect(try inflate(short) == payload)
            }
        }
        #expect(Compression.deflate(Array(repeating: 7, count: 300), window: 9) != nil)
        #expect(Compression.deflate([1, 2, 3], window: 15) == nil)
    }

    @Test func `stops at the limit, however much there would be`() throws {
        let bomb = try #require(Compression.deflate([UInt8](repeating: 0, count: 16 << 20), window: 15))
        #expect(bomb.count < 20_000)
        #expect(throws: Violation.messageTooLong(limit: 16_384)) { try inflate(bomb, limit: 16_384) }
        #expect(try inflate(bomb, limit: 16 << 20).count == 16 << 20)
        #expect(throws: Violation.messageTooLong(limit: 4)) {
            try inflate([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], limit: 4)
        }
        #expect(try inflate([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], limit: 5) == Self.hello)
    }

    @Test(
        arguments: [[], [0xFF], [0xF2, 0x48, 0xCD], [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07], [0x06], [0x01, 0x05]]
            as [[UInt8]])
    func `refuses what is cut off or nothing of the kind`(payload: [UInt8]) {
        #expect(throws: Violation.compression) { try inflate(payload) }
    }

    @Test func `of a frame is for long payloads, and for those who agreed`() {
        let long = Array(repeating: UInt8(ascii: "a"), count: 400)
        let frame = Frame.text(long, alsoCompressed: true)
        #expect(frame.bytes == Frame.text(long).bytes)
        #expect(frame.compressed?.first == 0xC1 && frame.compressed?.count ?? 0 < 40)
        #expect(Frame.text(long, alsoCompressed: false).compressed == nil)
        #expect(Frame.text(Array(long.prefix(100)), alsoCompressed: true).compressed == nil)
        #expect(Frame(.binary, long, by: nil).bytes.count > 400)
        #expect(Frame(.binary, long, by: Deflate(offers: ["permessage-deflate"])).bytes.first == 0xC2)
    }
}

@Suite struct `A conversation with compression` {
    private func actions(_ frames: Frame..., limit: Int = 1000) -> [Conversation.Action] {
        var conversation = Conversation(limits: FrameDecoder.Limits(message: limit, allowsCompression: true))
        var position = 0
        let bytes = frames.flatMap(\.bytes)
        var actions: [Conversation.Action] = []
        while let action = conversation.receive(bytes.span, at: &position) { actions.append(action) }
        return actions
    }

    private func compressed(_ payload: [UInt8]) -> [UInt8] {
        Compression.deflate(payload, window: 15) ?? []
    }

    @Test func `delivers messages as they were meant, in pieces too`() {
        let text = Array(repeating: UInt8(ascii: "e"), count: 500)
        let payload = compressed(text)
        #expect(actions(Frame(.text, payload, isCompressed: true, mask: 5)) == [.deliver(Message(.text, text))])
        #expect(
            actions(
                Frame(.binary, payload.prefix(3), isFinal: false, isCompressed: true, mask: 5),
                Frame(.continuation, payload.dropFirst(3), mask: 5)) == [.deliver(Message(.binary, text))])
    }

    @Test func `closes with 1009 for a bomb and 1007 for what is no text or not compressed`() {
        func code(_ frame: Frame) -> CloseCode? {
            if case .close(_, let code, _)? = actions(frame).first { code } else { nil }
        }
        let bomb = compressed([UInt8](repeating: 0, count: 100_000))
        #expect(code(Frame(.binary, bomb, isCompressed: true, mask: 1)) == .messageTooBig)
        let noText = compressed([UInt8](repeating: 0xFF, count: 500))
        #expect(code(Frame(.text, noText, isCompressed: true, mask: 1)) == .invalidPayload)
        #expect(code(Frame(.text, [0xFF], isCompressed: true, mask: 1)) == .invalidPayload)
        #expect(code(Frame(.continuation, [], isCompressed: true, mask: 1)) == .protocolError)
    }
}
