import Cryptography
import Testing

@Suite struct PasswordHashTests {
    private let cheap = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
    private let password = Array("correct horse".utf8)

    @Test func `a hash of another implementation is verified`() throws {
        // Made by the reference program: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 -e
        let text = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        let hash = try #require(PasswordHash(text: text))
        #expect(try hash.matches(Array("password".utf8)))
        #expect(try !hash.matches(Array("passwore".utf8)))
        #expect(hash.text == text)
        #expect(hash.isOutdated())
    }

    @Test func `a hash says its cost and comes back from its text`() throws {
        let hash = try PasswordHash(password, random: .system)
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        let read = try #require(PasswordHash(text: hash.text))
        #expect(read == hash)
        #expect(try read.matches(password))
        #expect(!read.isOutdated())
        #expect(read.isOutdated(cost: cheap))
    }

    @Test func `the same password never hashes alike`() throws {
        let first = try PasswordHash(password, cost: cheap, random: .system)
        #expect(try first != PasswordHash(password, cost: cheap, random: .system))
    }

    @Test func `a peppered hash needs its pepper`() throws {
        let pepper = try #require(Pepper(key: Array(repeating: 7, count: 32)))
        let other = try #require(Pepper(key: Array(repeating: 8, count: 32)))
        let hash = try PasswordHash(password, cost: cheap, pepper: pepper, random: .system)
        let read = try #require(PasswordHash(text: hash.text))
        #expect(try read.matches(password, pepper: pepper))
        #expect(throws: PasswordHashError.unknownPepper) { try read.matches(password, pepper: other) }
        #expect(throws: PasswordHashError.unknownPepper) { try read.matches(password) }
        let plain = try PasswordHash(password, cost: cheap, random: .system)
        #expect(try plain.matches(password, pepper: pepper))
        #expect(plain.isOutdated(cost: cheap, pepper: pepper))
        #expect(Pepper(key: [1, 2, 3]) == nil)
    }

    @Test(arguments: [
        "", "$", "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=4294967295,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=65536,t=2$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=65536,t=2,p=1,x=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=65536,t=2,p=1$c29$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$",
    ])
    func `a damaged hash is refused`(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }
}
