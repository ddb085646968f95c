import HTTP
import Testing

@testable import WebSocket

@Suite struct `A handshake` {
    private func head(_ request: String) throws -> RequestHead {
        var parser = RequestParser()
        parser.feed(Array(request.utf8))
        switch try parser.next() {
        case .head(let head), .request(let head, _): return head
        case nil: throw RequestFault.requestLine
        }
    }

    private func handshake(_ fields: String...) throws -> Handshake {
        try Handshake(head("GET / HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"))
    }

    private let upgrade = "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade"
    private let version = "Sec-WebSocket-Version: 13"
    private let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="

    @Test func `is accepted with the key of RFC 6455`() throws {
        let handshake = try handshake(
            upgrade, version, key, "Sec-WebSocket-Protocol: a, b", "Sec-WebSocket-Protocol: c")
        #expect(handshake.subprotocols == ["a", "b", "c"])
        #expect(handshake.offers("c"))
        #expect(!handshake.offers("A"))
        let headers = handshake.accepting("b")
        #expect(headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(headers["Sec-WebSocket-Protocol"] == "b")
    }

    @Test func `is refused with the reason`() throws {
        #expect(throws: Handshake.Fault.notAnUpgrade) { try handshake(version, key) }
        #expect(throws: Handshake.Fault.notAnUpgrade) { try handshake("Upgrade: websocket", version, key) }
        #expect(throws: Handshake.Fault.notAnUpgrade) { try handshake(upgrade, version, key, "Content-Length: 1") }
        #expect(throws: Handshake.Fault.version) { try handshake(upgrade, key) }
        #expect(throws: Handshake.Fault.version) { try handshake(upgrade, key, "Sec-WebSocket-Version: 8") }
        #expect(throws: Handshake.Fault.key) { try handshake(upgrade, version) }
        #expect(throws: Handshake.Fault.key) { try handshake(upgrade, version, key, key) }
        #expect(throws: Handshake.Fault.key) { try handshake(upgrade, version, "Sec-WebSocket-Key: short==") }
        #expect(throws: Handshake.Fault.subprotocols) {
            try handshake(upgrade, version, key, "Sec-WebSocket-Protocol: a,,b")
        }
        #expect(throws: Handshake.Fault.subprotocols) {
            try handshake(upgrade, version, key, "Sec-WebSocket-Protocol: a,a")
        }
        #expect(throws: Handshake.Fault.notAnUpgrade) {
            try Handshake(head("POST / HTTP/1.1\r\nHost: a\r\n\(upgrade)\r\n\(version)\r\n\(key)\r\n\r\n"))
        }
        #expect(Handshake.Fault.version.status == .upgradeRequired)
    }

    @Test(arguments: [
        (0, "da39a3ee5e6b4b0d3255bfef95601890afd80709"), (3, "7e240de74fb1ed08fa08d38063f6a6a91462a815"),
        (55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"), (56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"), (119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        (120, "f34c1488385346a55709ba056ddd08280dd4c6d6"),
    ]) func `digests as SHA-1 does`(count: Int, digest: String) {
        let bytes = AcceptKey.sha1([UInt8](repeating: 0x61, count: count))
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == digest)
    }
}
