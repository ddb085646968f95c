import Testing

@testable import WebSocket

@Suite struct `A frame` {
    @Test(
        arguments: [
            (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (65_535, [0x82, 126, 0xFF, 0xFF]),
            (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])]) func `has the shortest length`(count: Int, start: [UInt8])
    {
        let frame = Frame.binary([UInt8](repeating: 0, count: count))
        #expect(frame.bytes.starts(with: start))
        #expect(frame.bytes.count == start.count + count)
    }

    @Test func `of a close has only what may be sent`() {
        #expect(Frame.close(.abnormal, reason: "x").bytes == [0x88, 0])
        let long = Frame.close(.normal, reason: String(repeating: "é", count: 100))
        #expect(long.bytes.count == 2 + 2 + 122)
        #expect(Decoding(long.bytes).violation == nil)
    }

    @Test func `of a control has at most 125 bytes`() {
        #expect(Frame.ping([UInt8](repeating: 0, count: 200)).bytes.count == 127)
    }
}
