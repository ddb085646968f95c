import Glibc
import Synchronization
import TestKit
import Testing

@testable import Transport

@Suite struct `A stream` {
    /// What a stream told its handler.
    enum News: Equatable {
        case received([UInt8])
        case ended
        case drained
        case stalled
        case closed(CloseReason)
    }

    private final class Recorder: StreamHandler {
        private let feed: AsyncStream<News>.Continuation

        init(_ feed: AsyncStream<News>.Continuation) { self.feed = feed }

        func received(_ bytes: Span<UInt8>) {
            feed.yield(.received(bytes.withUnsafeBufferPointer { Array($0) }))
        }

        func ended() { feed.yield(.ended) }
        func drained() { feed.yield(.drained) }
        func stalled() { feed.yield(.stalled) }

        func closed(_ reason: CloseReason) {
            feed.yield(.closed(reason))
            feed.finish()
        }
    }

    /// A stream on a loop of its own, the other end of its socket, and its news.
    private struct Pair: Sendable {
        let stream: LoopBound<Stream>
        let other: Int32
        let news: AsyncStream<News>

        func onLoop(_ body: @escaping @Sendable (Stream) -> Void) async {
            await stream.loop.run { body(stream.value) }
        }

        /// Lets time pass as the loop counts it: what was due by then is done.
        func pass(_ time: Duration) async {
            await withCheckedContinuation { continuation in
                stream.loop.execute { stream.loop.schedule(after: time) { continuation.resume() } }
            }
        }

        func send(_ bytes: [UInt8]) { _ = Glibc.send(other, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

        func receive() async -> [UInt8] {
            (try? await onThread { [other] in Self.receive(other) }) ?? []
        }

        /// Reads to the end and returns how many bytes there were; `nil` when the connection was reset.
        func readOn() async -> Int? {
            (try? await onThread { [other] in Self.readOn(other) }) ?? nil
        }

        private static func receive(_ other: Int32) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = recv(other, &bytes, bytes.count, 0)
            return Array(bytes.prefix(max(0, count)))
        }

        private static func readOn(_ other: Int32) -> Int? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            var sum = 0
            while true {
                let count = recv(other, &bytes, bytes.count, 0)
                guard count > 0 else { return count == 0 ? sum : nil }
                sum += count
            }
        }
    }

    private func withPair(_ body: (Pair) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let (near, far) = try connection()
        _ = fcntl(near, F_SETFL, O_NONBLOCK)
        let (news, feed) = AsyncStream<News>.makeStream()
        let peer = try SocketAddress(host: "127.0.0.1", port: 1)
        let stream = try await loop.run {
            Result { () throws(TransportError) in
                LoopBound(
                    try Stream(.plain(Socket(descriptor: near)), peer: peer, loop: loop, handler: Recorder(feed)),
                    to: loop)
            }
        }.get()
        try await body(Pair(stream: stream, other: far, news: news))
        await group.shutdown()
        close(far)
    }

    /// Both ends of a connection over loopback. The kernel keeps little for a far end that does not read.
    private func connection() throws -> (near: Int32, far: Int32) {
        let listening = try ListeningSocket(SocketAddress(host: "127.0.0.1", port: 0))
        defer { listening.close() }
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var least: Int32 = 4096
        setsockopt(far, SOL_SOCKET, SO_RCVBUF, &least, socklen_t(MemoryLayout<Int32>.size))
        try check(listening.address.withSockaddr { Glibc.connect(far, $0, $1) }, "connect")
        return (try check(accept(listening.descriptor, nil, nil), "accept"), far)
    }

    @Test func `passes bytes both ways and says when it has drained`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            pair.send([1, 2, 3])
            #expect(await news.next() == .received([1, 2, 3]))
            await pair.onLoop { stream in
                stream.write([4, 5])
                stream.write([6])
                #expect(stream.bufferedBytes == 3)
            }
            #expect(await news.next() == .drained)
            #expect(await pair.receive() == [4, 5, 6])
        }
    }

    /// Answers what comes in, and adds to the answer later in the same turn.
    private final class Answerer: StreamHandler {
        private let recorder: Recorder
        var stream: Stream?

        init(_ feed: AsyncStream<News>.Continuation) { recorder = Recorder(feed) }

        func received(_ bytes: Span<UInt8>) {
            recorder.received(bytes)
            guard let stream else { return }
            let bound = LoopBound(stream, to: stream.loop)
            stream.write([1])
            stream.loop.execute { bound.value.write([2]) }
        }

        func ended() {}
        func drained() { recorder.drained() }
        func stalled() {}

        func closed(_ reason: CloseReason) {
            stream = nil
            recorder.closed(reason)
        }
    }

    @Test func `sends an answer at the end of the turn, with whatever joins it`() async throws {
        try await withPair { pair in
            let (news, feed) = AsyncStream<News>.makeStream()
            await pair.onLoop { stream in
                let answerer = Answerer(feed)
                answerer.stream = stream
                stream.handler = answerer
            }
            pair.send([0])
            while await pair.receive().last != 2 {}
            await pair.onLoop { $0.abort() }
            var told: [News] = []
            for await next in news { told.append(next) }
            #expect(told == [.received([0]), .drained, .closed(.local)])
        }
    }

    @Test func `queues what the kernel does not take and goes on when it does`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            let long = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            await pair.onLoop { stream in
                // A busy machine may take longer than the usual deadline.
                stream.writeDeadline = .progress(.seconds(3_600))
                stream.write(long)
            }
            var received: [UInt8] = []
            while received.count < long.count { received += await pair.receive() }
            #expect(received == long)
            #expect(await news.next() == .drained)
        }
    }

    @Test func `tells of a reader that has stopped`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            await pair.onLoop { stream in
                stream.writeDeadline = .perFrame(.milliseconds(5))
                stream.write([UInt8](repeating: 0, count: 4_000_000))
            }
            #expect(await news.next() == .stalled)
            await pair.onLoop { stream in
                #expect(stream.oldestUnsentAge != nil)
                stream.abort()
            }
            #expect(await news.next() == .closed(.local))
        }
    }

    @Test func `pauses, and then delivers what came meanwhile and the end`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            await pair.onLoop { $0.pauseReading() }
            pair.send([1])
            shutdown(pair.other, Int32(SHUT_WR))
            await pair.onLoop { $0.write([9]) }
            #expect(await news.next() == .drained)
            await pair.onLoop { $0.resumeReading() }
            #expect(await news.next() == .received([1]))
            #expect(await news.next() == .ended)
            await pair.onLoop { $0.finish() }
            #expect(await news.next() == .closed(.local))
            #expect(await pair.receive() == [9])
            #expect(await pair.receive().isEmpty)
        }
    }

    @Test func `finishes: sends what is queued, then its end, and waits for the other's`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            await pair.onLoop { stream in
                stream.write([1, 2])
                stream.finish()
                stream.write([3])
            }
            #expect(await pair.receive() == [1, 2])
            #expect(await pair.receive().isEmpty)
            pair.send([7])
            shutdown(pair.other, Int32(SHUT_WR))
            #expect(await news.next() == .closed(.local))
        }
    }

    @Test func `does not wait for ever for the other's end`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            await pair.onLoop { stream in
                stream.lingerTime = .milliseconds(5)
                stream.finish()
            }
            #expect(await news.next() == .closed(.local))
        }
    }

    @Test func `keeps little in the kernel, and resets what is not read when it closes`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            let size = 4_000_000
            await pair.onLoop { stream in
                stream.writeDeadline = .perFrame(.milliseconds(5))
                stream.write([UInt8](repeating: 0, count: size))
            }
            #expect(await news.next() == .stalled)
            await pair.onLoop { stream in
                #expect(stream.bufferedBytes > size - 128 * 1024)
                stream.abort()
            }
            #expect(await news.next() == .closed(.local))
            #expect(await pair.readOn() == nil)
        }
    }

    @Test func `finishes for a slow reader, however long it reads`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            await pair.onLoop { stream in
                stream.lingerTime = .milliseconds(1)
                // On a busy machine the test may not go on for longer than a reader is given otherwise.
                stream.writeDeadline = .progress(.seconds(86_400))
                stream.write([UInt8](repeating: 0, count: 12_000))
                stream.finish()
            }
            await pair.pass(.milliseconds(20))
            #expect(await pair.readOn() == 12_000)
            shutdown(pair.other, Int32(SHUT_WR))
            #expect(await news.next() == .closed(.local))
        }
    }

    @Test func `finishes for a reader that has sent its own end first`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            shutdown(pair.other, Int32(SHUT_WR))
            #expect(await news.next() == .ended)
            await pair.onLoop { stream in
                stream.lingerTime = .milliseconds(1)
                // On a busy machine the test may not go on for longer than a reader is given otherwise.
                stream.writeDeadline = .progress(.seconds(86_400))
                stream.write([UInt8](repeating: 0, count: 12_000))
                stream.finish()
            }
            await pair.pass(.milliseconds(20))
            #expect(await pair.readOn() == 12_000)
            #expect(await news.next() == .closed(.local))
        }
    }

    @Test func `finishes with a reset for a reader that has stopped`() async throws {
        try await withPair { pair in
            var news = pair.news.makeAsyncIterator()
            await pair.onLoop { stream in
                stream.lingerTime = .milliseconds(1)
                stream.writeDeadline = .progress(.milliseconds(5))
                stream.write([UInt8](repeating: 0, count: 12_000))
                stream.finish()
            }
            #expect(await news.next() == .closed(.local))
            #expect(await pair.readOn() == nil)
        }
    }

    @Test func `closes when its loop ends`() async throws {
        var saved: AsyncStream<News>?
        try await withPair { saved = $0.news }
        var news = saved?.makeAsyncIterator()
        #expect(await news?.next() == .closed(.loopStopped))
    }

    @Test func `lets go of everything when it closes`() async throws {
        try await withPair { pair in
            final class Handler: StreamHandler {
                let stream: Stream
                let onFree: () -> Void
                init(_ stream: Stream, onFree: @escaping () -> Void) {
                    self.stream = stream
                    self.onFree = onFree
                }
                deinit { onFree() }
                func received(_ bytes: Span<UInt8>) {}
                func ended() {}
                func drained() {}
                func stalled() {}
                func closed(_ reason: CloseReason) {}
            }
            let flag = Flag()
            await pair.onLoop { stream in
                stream.handler = Handler(stream) { flag.raise() }
                stream.abort()
            }
            #expect(flag.isRaised)
        }
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }
}
