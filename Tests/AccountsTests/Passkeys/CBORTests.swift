import Testing

@testable import Accounts

@Suite struct CBORTests {
    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
    }

    @Test(
        arguments: [
            ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("190100", .unsigned(256)),
            ("1a00010000", .unsigned(65_536)), ("1b0000000100000000", .unsigned(1 << 32)),
            ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)), ("3863", .negative(99)),
            ("44 01020304", .bytes([1, 2, 3, 4])), ("64 49455446", .text("IETF")), ("62 c3bc", .text("ü")),
            ("80", .list([])),
            ("83 01 02 03", .list([.unsigned(1), .unsigned(2), .unsigned(3)])), ("a0", .map([])),
            ("a1 61 61 01", .map([CBOR.Pair(key: .text("a"), value: .unsigned(1))])), ("f4", .bool(false)),
            ("f5", .bool(true)), ("f6", .null),
        ] as [(String, CBOR)])
    func `the examples of RFC 8949 are read`(text: String, value: CBOR) {
        #expect(CBOR(Self.bytes(text)) == value)
    }

    @Test(arguments: [
        "", "18", "1817", "1900ff", "1a0000ffff", "1b00000000ffffffff", "41", "5bffffffffffffffff", "61 ff", "81",
        "9bffffffffffffffff", "9f ff", "bf ff", "5f ff", "a1 01", "a2 01 01 01 02", "c0 00", "f7", "f8 20", "f9 0000",
        "fa 00000000", "fb 0000000000000000", "1c", "1f", "00 00", "bbffffffffffffffff",
    ])
    func `what is cut off, indefinite, tagged, a fraction, not shortest or twice is refused`(text: String) {
        #expect(CBOR(Self.bytes(text)) == nil)
    }

    @Test func `keys of maps are numbers and short texts`() {
        for key in ["80", "a0", "41 00", "f5", "f6"] { #expect(CBOR(Self.bytes("a1 \(key) 01")) == nil) }
        let texts = [64, 65].map { [0xA1, 0x78, UInt8($0)] + Array(repeating: UInt8(ascii: "x"), count: $0) + [1] }
        #expect(texts.map { CBOR($0) == nil } == [false, true])
    }

    @Test func `nesting ends after four, and the whole at 64 KiB`() {
        #expect(CBOR(Self.bytes("81 81 81 80")) != nil)
        #expect(CBOR(Self.bytes("81 81 81 81 00")) != nil)
        #expect(CBOR(Self.bytes("81 81 81 81 80")) == nil)
        #expect(CBOR([UInt8](repeating: 0x81, count: 60_000)) == nil)
        #expect(CBOR([0x59, 0xFF, 0xF0] + [UInt8](repeating: 0, count: 0xFFF0)) != nil)
        #expect(CBOR([0x5A, 0x00, 0x01, 0x00, 0x00] + [UInt8](repeating: 0, count: 0x10000)) == nil)
    }

    @Test func `a value is told from what follows it, and numbers find their keys`() throws {
        let (value, rest) = try #require(CBOR.first(of: Self.bytes("a2 03 26 20 01 ff")[...]))
        #expect(value[3]?.integer == -7)
        #expect(value[-1]?.integer == 1)
        #expect(value["3"] == nil)
        #expect(Array(rest) == [0xFF])
    }
}

@Suite struct AuthenticatorDataTests {
    private let head = [UInt8](repeating: 7, count: 32)
    private let key: [UInt8] = [0xA1, 0x01, 0x02]

    private func data(_ flags: UInt8, _ rest: [UInt8] = [], counter: [UInt8] = [0, 0, 1, 2]) -> AuthenticatorData? {
        AuthenticatorData(head + [flags] + counter + rest)
    }

    private func credential(_ id: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id + key
    }

    @Test func `flags, counter, credential and extensions are read`() throws {
        let plain = try #require(data(0x05))
        #expect(plain.flags == [.userPresent, .userVerified] && plain.counter == 258 && plain.credential == nil)
        let full = try #require(data(0xC5, credential([9, 9]) + [0xA0]))
        #expect(full.credential == AuthenticatorData.Credential(id: [9, 9], key: key))
    }

    @Test func `what is cut off, goes on or contradicts itself is refused`() {
        let whole = head + [0xC5, 0, 0, 0, 0] + credential([9, 9]) + [0xA0]
        for count in whole.indices { #expect(AuthenticatorData(Array(whole.prefix(count))) == nil) }
        #expect(AuthenticatorData(whole + [0]) == nil)
        #expect(data(0x05, [0]) == nil)
        #expect(data(0x15) == nil, "backed up without being eligible for it")
        #expect(data(0x45, credential([])) == nil)
        #expect(data(0x45, credential([UInt8](repeating: 1, count: 1_024))) == nil)
        #expect(data(0x85, [0x01]) == nil, "extensions that are no map")
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://localhost:8080", true), ("https://localhost", false),
        ("http://localhost:99999", false), ("http://localhost.example", false), ("http://localhost:80@evil", false),
        ("http://127.0.0.1:8080", false), ("", false),
    ])
    func `without a public address pages of localhost alone may ask`(origin: String, may: Bool) {
        #expect(RelyingParty.loopback.accepts(origin: origin) == may)
    }

    @Test func `with a public address its origin alone may ask`() {
        let party = RelyingParty(host: "grades.example.org", origin: "https://grades.example.org")
        #expect(party.accepts(origin: "https://grades.example.org"))
        for origin in ["https://grades.example.org:444", "http://grades.example.org", "https://example.org"] {
            #expect(!party.accepts(origin: origin))
        }
    }
}
