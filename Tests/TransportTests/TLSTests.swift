import COpenSSL
import Glibc
import TestKit
import Testing

@testable import Transport

@Suite struct `TLS` {
    @Test(arguments: [(TLS1_2_VERSION, "TLSv1.2"), (TLS1_3_VERSION, "TLSv1.3")])
    func `is spoken in both versions, with HTTP 1.1 over it`(version: Int32, name: String) async throws {
        try await withSecureServer { server in
            let client = try server.connect(versions: version...version, alpn: [2] + "h2".utf8 + [8] + "http/1.1".utf8)
            #expect(client.connect() && client.version == name && client.chosenProtocol == "http/1.1")
            #expect(client.send([1, 2, 3]) && client.receive(3) == [1, 2, 3])
        }
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION]) func `is not spoken in older versions`(version: Int32) async throws
    {
        try await withSecureServer { server in
            let client = try server.connect(versions: version...version)
            #expect(!client.connect())
        }
    }

    @Test func `is not spoken with those who offer other protocols only`() async throws {
        try await withSecureServer { server in
            let client = try server.connect(alpn: [2] + "h2".utf8)
            #expect(!client.connect())
        }
    }

    @Test func `carries more than fits into a record, a buffer or the kernel`() async throws {
        try await withSecureServer { server in
            let client = try server.connect()
            let long = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            #expect(client.connect() && client.send(long))
            #expect(client.receive(long.count) == long)
        }
    }

    @Test func `ends with a good-bye from both sides`() async throws {
        try await withSecureServer { server in
            let client = try server.connect()
            #expect(client.connect() && client.send([1]))
            client.sayGoodbye()
            #expect(client.receive(1) == [1])
            #expect(client.receive() == [])
        }
    }

    @Test func `does not take a cut connection for the end`() async throws {
        try await withSecureServer { server in
            var news = server.news.makeAsyncIterator()
            let descriptor = try server.connectInTheClear()
            let client = try TLSClient(descriptor)
            #expect(client.connect() && client.send([1]) && client.receive(1) == [1])
            shutdown(descriptor, Int32(SHUT_WR))
            #expect(await news.next() == .failed(TransportError("SSL_read", code: EPROTO)))
        }
    }

    private static let garbage = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", String(repeating: "x", count: 70_000), "\u{16}\u{3}\u{1}",
    ]

    @Test(arguments: garbage.indices)
    func `closes a connection that speaks something else, and only that`(index: Int) async throws {
        let text = Self.garbage[index]
        try await withSecureServer { server in
            let bystander = try server.connect()
            #expect(bystander.connect())
            var news = server.news.makeAsyncIterator()
            let descriptor = try server.connectInTheClear()
            _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            shutdown(descriptor, Int32(SHUT_WR))
            #expect(await news.next() == .failed(TransportError("SSL_read", code: EPROTO)))
            #expect(bystander.send([5]) && bystander.receive(1) == [5])
        }
    }

    @Test func `takes frames back that nobody was sent a byte of`() async throws {
        try await withSecureServer { server in
            let client = try server.connect()
            #expect(client.connect() && client.send([1]) && client.receive(1) == [1])
            let frame = (0..<1000).map { UInt8(truncatingIfNeeded: $0 % 250) }
            await server.onStream { stream in
                for _ in 0..<20_000 { stream.write(frame) }
            }
            // What was written in that turn was sent at its end, as far as it went.
            await server.onStream { stream in
                stream.dropUnsent()
                stream.write([255])
            }
            var received: [UInt8] = []
            while received.last != 255, let more = client.receive(), !more.isEmpty { received += more }
            #expect(received.count % 1000 == 1 && received.count < 20_000_000)
            #expect(stride(from: 0, to: received.count - 1, by: 1000).allSatisfy { received[$0] == 0 })
        }
    }

    @Test func `shows a new certificate to those who come after it`() async throws {
        try await withSecureServer(serial: 1) { server in
            let first = try server.connect()
            #expect(first.connect() && first.serial == 1)
            try server.files.write(serial: 2)
            try server.identity.reload()
            let second = try server.connect()
            #expect(second.connect() && second.serial == 2)
            #expect(first.send([1]) && first.receive(1) == [1])
            try server.files.write(serial: 3, passphrase: "secret")
            #expect(throws: TLSError.self) { try server.identity.reload() }
            let third = try server.connect()
            #expect(third.connect() && third.serial == 2)
        }
    }

    @Test func `needs a certificate and the key that belongs to it`() throws {
        let (mine, other) = (try TestCertificate(serial: 1), try TestCertificate(serial: 2))
        func fault(_ certificate: String, _ key: String) -> String? {
            do throws(TLSError) {
                _ = try TLSIdentity(certificate: certificate, key: key)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(fault(mine.certificate, mine.key) == nil)
        #expect(fault("/nowhere", mine.key) == "/nowhere: No such file or directory")
        #expect(fault(mine.key, mine.key) == "\(mine.key): no start line")
        #expect(fault(mine.certificate, other.key) == "\(other.key): key values mismatch")
        try other.write(serial: 2, passphrase: "secret")
        #expect(fault(other.certificate, other.key)?.hasPrefix(other.key) == true)
    }
}
