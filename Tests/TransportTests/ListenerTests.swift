import Glibc
import Synchronization
import Testing

@testable import Transport

@Suite struct `A listener` {
    private static func connect(_ port: UInt16, _ descriptor: Int32) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func client() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

    @Test func `accepts what is in the queue when it stops, and nothing after`() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let socket = try ListeningSocket.bind(SocketAddress(host: "127.0.0.1", port: 0), count: 1)[0]
        let clients = (0..<3).map { _ in Self.client() }
        for client in clients { #expect(Self.connect(socket.address.port, client)) }
        let accepted = Mutex(0)
        let failure = await loop.run {
            do throws(TransportError) {
                let listener = try Listener(socket, on: loop) { stream in
                    accepted.withLock { $0 += 1 }
                    stream.abort()
                }
                listener.stop()
                return nil as TransportError?
            } catch {
                return error
            }
        }
        #expect(failure == nil)
        #expect(accepted.withLock { $0 } == 3)
        let late = Self.client()
        #expect(!Self.connect(socket.address.port, late))
        for client in clients + [late] { close(client) }
        await group.shutdown()
    }

    @Test func `without descriptors it waits, and then goes on`() async throws {
        // In a process of its own, for the others here need their descriptors.
        await #expect(processExitsWith: .success) {
            let group = try EventLoopGroup(count: 1)
            let loop = group.loops[0]
            let socket = try ListeningSocket.bind(SocketAddress(host: "127.0.0.1", port: 0), count: 1)[0]
            let (hunger, feed) = AsyncStream<TransportError?>.makeStream()
            let (accepted, acceptedFeed) = AsyncStream<Bool>.makeStream()
            let client = Self.client()
            var original = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &original)
            var full = original
            full.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &full)
            let failure = await loop.run {
                do throws(TransportError) {
                    _ = try Listener(
                        socket, on: loop, retryDelay: .milliseconds(5), onHunger: { feed.yield($0) },
                        accept: { _ in acceptedFeed.yield(true) })
                    return nil as TransportError?
                } catch {
                    return error
                }
            }
            try #require(failure == nil)
            try #require(Self.connect(socket.address.port, client))
            var news = hunger.makeAsyncIterator()
            try #require(await news.next() == TransportError("accept4", code: EMFILE))
            try #require(await news.next() == .some(nil))
            try #require(await news.next() == TransportError("accept4", code: EMFILE))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &original)
            var connections = accepted.makeAsyncIterator()
            try #require(await connections.next() == true)
            await group.shutdown()
        }
    }

    @Test(arguments: ["", "localhost", "127.0.0.256", "1.2.3", "::g"]) func `takes numeric addresses only`(
        host: String
    ) {
        #expect(throws: TransportError.self) { try SocketAddress(host: host, port: 1) }
    }

    @Test(arguments: [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("2001:DB8::1", "[2001:db8::1]:80")])
    func `writes addresses`(host: String, text: String) throws {
        #expect(try SocketAddress(host: host, port: 80).description == text)
    }
}
