import Cryptography
import Testing

@Suite struct CompactTokenTests {
    private let key = HMACSHA256(key: Array("a secret of the test, 32 bytes long".utf8))

    private func token(_ payload: String = "{}") -> CompactToken {
        CompactToken(header: Array(#"{"alg":"HS256"}"#.utf8), payload: Array(payload.utf8), key: key)
    }

    @Test func `the example of RFC 7515 is read and its signature holds`() throws {
        let text =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leG"
            + "FtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let token = try #require(CompactToken(text: text))
        let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        #expect(token.isSigned(byAnyOf: [HMACSHA256(key: try #require(Base64.url.decode(secret)))]))
        #expect(token.payload.starts(with: Array(#"{"iss":"joe""#.utf8)))
        #expect(token.text == text)
    }

    @Test func `any of the keys will do, another does not`() {
        let other = HMACSHA256(key: [1])
        #expect(token().isSigned(byAnyOf: [key]))
        #expect(token().isSigned(byAnyOf: [other, key]))
        #expect(!token().isSigned(byAnyOf: [other]))
        #expect(!token().isSigned(byAnyOf: []))
    }

    @Test func `a signature cut short or of another payload does not hold`() throws {
        let parts = token().text.split(separator: ".").map(String.init)
        let cut = try #require(Base64.url.decode(parts[2])).dropLast()
        let shorter = try #require(CompactToken(text: "\(parts[0]).\(parts[1]).\(Base64.url.encode(Array(cut)))"))
        #expect(!shorter.isSigned(byAnyOf: [key]))
        let other = token(#"{"x":1}"#).text.split(separator: ".")[1]
        let exchanged = try #require(CompactToken(text: "\(parts[0]).\(other).\(parts[2])"))
        #expect(!exchanged.isSigned(byAnyOf: [key]))
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "YQ.YQ.", ".YQ.YQ", "YQ..YQ", "YQ.YQ.YQ.YQ", "YQ==.YQ.YQ", "YR.YQ.YQ", "Y Q.YQ.YQ",
    ])
    func `what is not three parts of strict Base64url is no token`(text: String) {
        #expect(CompactToken(text: text) == nil)
    }

    @Test func `a long text is not looked at`() {
        let part = String(repeating: "A", count: CompactToken.maximumLength)
        #expect(CompactToken(text: "YQ.\(part).YQ") == nil)
    }
}
