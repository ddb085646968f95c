import Cryptography
import Testing

@Suite struct HMACSHA256Tests {
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `the examples of RFC 4231 come out`(key: [UInt8], message: [UInt8], code: String) {
        #expect(HMACSHA256(key: key).authenticate(message).hexadecimal == code)
    }

    @Test func `another message, a cut code and another key are refused`() {
        let code = HMACSHA256(key: [1]).authenticate([1, 2, 3])
        #expect(HMACSHA256(key: [1]).isValid(code, for: [1, 2, 3]))
        #expect(!HMACSHA256(key: [1]).isValid(code, for: [1, 2]))
        #expect(!HMACSHA256(key: [1]).isValid(Array(code.dropLast()), for: [1, 2, 3]))
        #expect(!HMACSHA256(key: [2]).isValid(code, for: [1, 2, 3]))
    }
}
