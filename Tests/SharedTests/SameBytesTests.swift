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
}
