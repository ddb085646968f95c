import Testing

@testable import Live

/// There are as many of these as there are connections; whoever makes one larger should mean it.
@Suite struct FootprintTests {
    @Test func `a reader with one subscription stays within 208 bytes and needs no other memory`() {
        #expect(MemoryLayout<LiveReader>.size <= 208)
    }

    @Test func `a topic with one reader stays within 200 bytes`() {
        #expect(
            MemoryLayout<TopicState?>.stride + 2 * (MemoryLayout<Topic>.stride + MemoryLayout<TopicID>.stride) <= 200)
    }
}
