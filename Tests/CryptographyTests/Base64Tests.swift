import Cryptography
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `the examples of RFC 4648 come out`(text: String, encoded: String) {
        #expect(Base64.url.encode(Array(text.utf8)) == encoded)
        #expect(Base64.url.decode(encoded) == Array(text.utf8))
    }

    @Test func `each alphabet has its own last characters`() {
        #expect(Base64.url.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64.standard.encode([0xFB, 0xFF]) == "+/8")
        #expect(Base64.url.decode("+/8") == nil)
    }

    @Test(arguments: ["A", "AAAAA", "Zh", "Zg==", "Zg ", "Zé", "\u{0}\u{0}"])
    func `what no encoding makes is refused`(text: String) {
        #expect(Base64.url.decode(text) == nil)
    }

    @Test func `every length comes back`() {
        for count in 0..<70 {
            let bytes = RandomSource.system.bytes(count)
            #expect(Base64.url.decode(Base64.url.encode(bytes)) == bytes)
        }
    }
}
