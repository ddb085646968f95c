import COpenSSL
import Glibc
import Synchronization
import TestKit

@testable import Transport

/// A server that says back what it hears, over TLS.
final class SecureServer: Sendable {
    let files: TestCertificate
    let identity: TLSIdentity
    /// Why connections were closed.
    let news: AsyncStream<CloseReason>
    private let loop: EventLoop
    private let address: SocketAddress
    private let newest = Mutex<LoopBound<Transport.Stream>?>(nil)

    fileprivate init(serial: Int, on loop: EventLoop) async throws {
        files = try TestCertificate(serial: serial)
        let identity = try TLSIdentity(certificate: files.certificate, key: files.key)
        let socket = try ListeningSocket.bind(SocketAddress(host: "127.0.0.1", port: 0), count: 1)[0]
        let (news, feed) = AsyncStream<CloseReason>.makeStream()
        self.identity = identity
        self.news = news
        self.loop = loop
        address = socket.address
        try await loop.run {
            Result { () throws(TransportError) in
                _ = try Listener(socket, on: loop, securedBy: identity) { stream in
                    stream.handler = Echo(stream, feed)
                    self.newest.withLock { $0 = LoopBound(stream, to: loop) }
                }
            }
        }.get()
    }

    /// A connection on which nothing was said.
    func connectInTheClear() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try check(address.withSockaddr { Glibc.connect(descriptor, $0, $1) }, "connect")
        return descriptor
    }

    /// A client whose handshake has not begun.
    func connect(
        versions: ClosedRange<Int32> = TLS1_2_VERSION...TLS1_3_VERSION, alpn: [UInt8] = []
    ) throws -> TLSClient {
        try TLSClient(connectInTheClear(), versions: versions, alpn: alpn)
    }

    /// Does something with the server's end of the newest connection.
    func onStream(_ body: @escaping @Sendable (Transport.Stream) -> Void) async {
        await loop.run { self.newest.withLock { $0 }.map { body($0.value) } }
    }
}

/// Gives `body` a server and ends it.
func withSecureServer(serial: Int = 1, _ body: (SecureServer) async throws -> Void) async throws {
    let group = try EventLoopGroup(count: 1)
    try await body(SecureServer(serial: serial, on: group.loops[0]))
    await group.shutdown()
}

private final class Echo: StreamHandler {
    private let stream: Transport.Stream
    private let feed: AsyncStream<CloseReason>.Continuation

    init(_ stream: Transport.Stream, _ feed: AsyncStream<CloseReason>.Continuation) {
        self.stream = stream
        self.feed = feed
    }

    func received(_ bytes: Span<UInt8>) { stream.write(bytes.withUnsafeBufferPointer { Array($0) }) }
    func ended() { stream.finish() }
    func drained() {}
    func stalled() {}
    func closed(_ reason: CloseReason) { feed.yield(reason) }
}
