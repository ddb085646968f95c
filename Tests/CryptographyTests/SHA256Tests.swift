import Cryptography
import Testing

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the published examples come out`(text: String, digest: String) {
        #expect(SHA256.hash(text.utf8).hexadecimal == digest)
    }

    @Test func `pieces give the digest of the whole`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var digest = SHA256()
        for start in stride(from: 0, to: bytes.count, by: 37) {
            digest.update(bytes[start..<min(start + 37, bytes.count)])
        }
        #expect(digest.finalize() == SHA256.hash(bytes))
    }

    @Test func `a copy goes its own way`() {
        var first = SHA256()
        first.update("a".utf8)
        var second = first
        second.update("b".utf8)
        #expect(first.finalize() == SHA256.hash("a".utf8))
        #expect(second.finalize() == SHA256.hash("ab".utf8))
    }
}
