import Shared
import Testing

@Suite struct SameBytesTests {
    @Test func `bytes are the same to the last one`() {
        let bytes = Array("record".utf8)
        #expect(bytes.isSame(as: Array("record".utf8)))
        #expect(!bytes.isSame(as: Array("records".utf8)))
        #expect(!bytes.isSame(as: Array("recorD".utf8)))
        #expect([UInt8]().isSame(as: []))
        #expect(![UInt8]().isSame(as: bytes))
    }

    @Test func `a sequence of bytes is found wherever it stands, by any of its bytes`() {
        var generator = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...2, using: &generator) } }
        for _ in 0..<2_000 {
            let text = bytes(Int.random(in: 0...40, using: &generator))
            let mark = bytes(Int.random(in: 1...4, using: &generator))
            let isThere = text.indices.contains { text[$0...].starts(with: mark) }
            for place in mark.indices {
                #expect(text.holds(mark, searchingFor: place) == isThere, "\(mark) in \(text)")
            }
            #expect((text + mark).holds(mark, searchingFor: mark.count - 1))
            #expect((mark + text).holds(mark))
        }
    }

    @Test func `an empty sequence is everywhere, and none is in an empty text`() {
        #expect([UInt8]().holds([]) && [1].holds([]) && ![UInt8]().holds([1]))
    }
}
