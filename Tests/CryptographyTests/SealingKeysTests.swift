import Cryptography
import Testing

@Suite struct SealingKeysTests {
    @Test func `every account has a key of its own, the same as long as the pepper is`() throws {
        let pepper = try #require(Pepper(key: Array(repeating: 7, count: 32)))
        let other = try #require(Pepper(key: Array(repeating: 8, count: 32)))
        let keys = SealingKeys(pepper: pepper)
        #expect(keys.key(of: "ada").count == 32)
        #expect(keys.key(of: "ada") == SealingKeys(pepper: pepper).key(of: "ada"))
        #expect(keys.key(of: "ada") != keys.key(of: "bob"))
        #expect(keys.key(of: "ada") != SealingKeys(pepper: other).key(of: "ada"))
        #expect(SealingKeys().key(of: "ada") != SealingKeys().key(of: "ada"))
    }
}
