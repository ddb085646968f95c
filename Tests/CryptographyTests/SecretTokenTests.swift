import Cryptography
import Testing

@Suite struct SecretTokenTests {
    @Test func `a token comes back from its text`() throws {
        let token = SecretToken(random: .system)
        #expect(token.text.utf8.count == 43)
        #expect(try #require(SecretToken(text: token.text)).digest == token.digest)
        #expect(SecretToken(text: Array(token.text.utf8)) == token)
    }

    @Test(arguments: ["", "abc", String(repeating: "A", count: 44), String(repeating: "~", count: 43)])
    func `what never was a token is refused`(text: String) {
        #expect(SecretToken(text: text) == nil)
        #expect(SecretToken(text: Array(text.utf8)) == nil)
    }

    @Test func `a token shows nothing of itself in a log`() {
        let token = SecretToken(random: .system)
        #expect(!"\(token)".contains(token.text))
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("bytes"))
    }

    @Test func `random bytes come in the number asked for and differ`() {
        #expect(RandomSource.system.bytes(0).isEmpty)
        #expect(RandomSource.system.bytes(13).count == 13)
        #expect(RandomSource.system.bytes(32) != RandomSource.system.bytes(32))
    }
}
