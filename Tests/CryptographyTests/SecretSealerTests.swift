import Cryptography
import Testing

@Suite struct SecretSealerTests {
    private let sealer = SecretSealer()
    private let secret = Array("a seed of twenty byte".utf8)

    @Test func `what is sealed opens again, each time from other bytes`() throws {
        let sealed = [try sealer.seal(secret, for: "ada"), try sealer.seal(secret, for: "ada")]
        #expect(sealed[0] != sealed[1])
        #expect(sealed.map { sealer.open($0, for: "ada") } == [secret, secret])
        #expect(sealer.open(try sealer.seal([], for: ""), for: "") == [])
    }

    @Test func `another key or another context opens nothing`() throws {
        let sealed = try sealer.seal(secret, for: "ada")
        #expect(sealer.open(sealed, for: "eve") == nil)
        #expect(SecretSealer().open(sealed, for: "ada") == nil)
    }

    @Test func `one bit changed anywhere opens nothing`() throws {
        let sealed = try sealer.seal(secret, for: "ada")
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(sealer.open(altered, for: "ada") == nil)
        }
        for count in sealed.indices { #expect(sealer.open(Array(sealed.prefix(count)), for: "ada") == nil) }
    }

    @Test func `a pepper gives the same seals, another pepper others`() throws {
        let peppers = try [1, 2].map { try #require(Pepper(key: [UInt8](repeating: $0, count: 32))) }
        let sealed = try SecretSealer(pepper: peppers[0]).seal(secret, for: "ada")
        #expect(SecretSealer(pepper: peppers[0]).open(sealed, for: "ada") == secret)
        #expect(SecretSealer(pepper: peppers[1]).open(sealed, for: "ada") == nil)
    }

    @Test func `more than is meant to be sealed is refused`() {
        #expect(throws: SecretSealer.Failure.self) {
            try sealer.seal([UInt8](repeating: 0, count: 4_097), for: "ada")
        }
    }
}
