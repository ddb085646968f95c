import Cryptography
import Testing

@Suite struct Base32Tests {
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func `the vectors of RFC 4648 hold without their padding`(bytes: String, text: String) {
        #expect(Base32.encode(Array(bytes.utf8)) == text)
        #expect(Base32.decode(text) == Array(bytes.utf8))
        #expect(Base32.decode(text.lowercased()) == Array(bytes.utf8))
    }

    @Test(arguments: ["M", "MZ1Q", "MZXW6===", "MZ", "MZXW6YTBO", "é"])
    func `what no encoding gives is refused`(text: String) {
        #expect(Base32.decode(text) == nil)
    }
}
