import Glibc
import Synchronization
import Testing

@testable import Transport

/// What connections send together is what they would send one by one.
@Suite struct `The flushQueue` {
    /// What a stream was told, by its number.
    private struct News: Equatable {
        enum Kind: Equatable {
            case drained
            case closed(CloseReason)
        }

        let stream: Int
        let kind: Kind
    }

    private final class Recorder: StreamHandler {
        private let number: Int
        private let feed: AsyncStream<News>.Continuation

        init(_ number: Int, _ feed: AsyncStream<News>.Continuation) {
            self.number = number
            self.feed = feed
        }

        func received(_ bytes: Span<UInt8>) {}
        func ended() {}
        func drained() { feed.yield(News(stream: number, kind: .drained)) }
        func stalled() {}
        func closed(_ reason: CloseReason) { feed.yield(News(stream: number, kind: .closed(reason))) }
    }

    /// Streams of one loop, the other ends of their sockets, and their news.
    private struct Crowd: Sendable {
        let streams: LoopBound<[Stream]>
        let others: [Int32]
        let news: AsyncStream<News>

        /// Lets the streams write in one turn.
        func inOneTurn(_ body: @escaping @Sendable ([Stream]) -> Void) async {
            await streams.loop.run { body(streams.value) }
        }

        func receive(_ index: Int, _ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while bytes.count < count {
                let more = recv(others[index], &buffer, min(buffer.count, count - bytes.count), 0)
                guard more > 0 else { break }
                bytes += buffer[..<more]
            }
            return bytes
        }
    }

    private func withCrowd(_ count: Int, isBatched: Bool, _ body: (Crowd) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1, batchesSends: isBatched)
        let loop = group.loops[0]
        let (news, feed) = AsyncStream<News>.makeStream()
        let peer = try SocketAddress(host: "127.0.0.1", port: 1)
        var (near, far): ([Int32], [Int32]) = ([], [])
        for _ in 0..<count {
            var ends: [Int32] = [0, 0]
            try check(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends), "socketpair")
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            near.append(ends[0])
            far.append(ends[1])
        }
        let descriptors = near
        let streams = try await loop.run {
            Result { () throws(TransportError) in
                var streams: [Stream] = []
                for (number, descriptor) in descriptors.enumerated() {
                    let handler = Recorder(number, feed)
                    streams.append(
                        try Stream(.plain(Socket(descriptor: descriptor)), peer: peer, loop: loop, handler: handler))
                }
                return LoopBound(streams, to: loop)
            }
        }.get()
        try await body(Crowd(streams: streams, others: far, news: news))
        await group.shutdown()
        for descriptor in far { close(descriptor) }
    }

    @Test(arguments: [false, true]) func `sends one frame to very many`(isBatched: Bool) async throws {
        try await withCrowd(700, isBatched: isBatched) { crowd in
            let frame = (0..<200).map { UInt8($0) }
            for _ in 0..<3 {
                await crowd.inOneTurn { for stream in $0 { stream.write(frame) } }
                for index in crowd.others.indices { #expect(crowd.receive(index, 200) == frame) }
            }
            var news = crowd.news.makeAsyncIterator()
            for _ in 0..<3 {
                for index in crowd.others.indices { #expect(await news.next() == News(stream: index, kind: .drained)) }
            }
        }
    }

    @Test(arguments: [false, true])
    func `goes on where the kernel stopped, with each by itself`(isBatched: Bool) async throws {
        try await withCrowd(32, isBatched: isBatched) { crowd in
            let long = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            await crowd.inOneTurn { streams in
                for (index, stream) in streams.enumerated() {
                    stream.write(index % 2 == 0 ? long : [UInt8(index)])
                    if index % 4 == 3 { stream.write([9]) }
                }
            }
            for index in crowd.others.indices {
                let expected = index % 2 == 0 ? long : index % 4 == 3 ? [UInt8(index), 9] : [UInt8(index)]
                #expect(crowd.receive(index, expected.count) == expected)
            }
        }
    }

    @Test(arguments: [false, true])
    func `closes who has gone, and only those`(isBatched: Bool) async throws {
        try await withCrowd(24, isBatched: isBatched) { crowd in
            // The loop is held up here, so that it learns of the ends when it sends.
            await crowd.inOneTurn { streams in
                for index in [1, 4] { shutdown(crowd.others[index], Int32(SHUT_RDWR)) }
                for stream in streams { stream.write([1, 2]) }
            }
            for index in 0..<24 where index != 1 && index != 4 { #expect(crowd.receive(index, 2) == [1, 2]) }
            var news: [News] = []
            var feed = crowd.news.makeAsyncIterator()
            while news.count < 24, let next = await feed.next() { news.append(next) }
            let broken = CloseReason.failed(TransportError("send", code: EPIPE))
            for index in 0..<24 {
                let kind: News.Kind = index == 1 || index == 4 ? .closed(broken) : .drained
                #expect(news.contains(News(stream: index, kind: kind)))
            }
        }
    }

    @Test(arguments: [false, true]) func `lets a stream finish behind its last frame`(isBatched: Bool) async throws {
        try await withCrowd(24, isBatched: isBatched) { crowd in
            await crowd.inOneTurn { streams in
                for stream in streams {
                    stream.write([7])
                    stream.finish()
                }
            }
            for index in crowd.others.indices { #expect(crowd.receive(index, 2) == [7]) }
        }
    }

    @Test(arguments: [false, true])
    func `takes what a handler does meanwhile for the next turn`(isBatched: Bool) async throws {
        /// Whose queue has drained closes its neighbour and writes to the one after.
        final class Meddler: StreamHandler {
            let (victim, reader): (Stream, Stream)
            init(_ victim: Stream, _ reader: Stream) { (self.victim, self.reader) = (victim, reader) }
            func received(_ bytes: Span<UInt8>) {}
            func ended() {}
            func drained() {
                victim.abort()
                reader.dropUnsent()
                reader.write([6])
            }
            func stalled() {}
            func closed(_ reason: CloseReason) {}
        }
        try await withCrowd(24, isBatched: isBatched) { crowd in
            await crowd.inOneTurn { streams in
                streams[0].handler = Meddler(streams[1], streams[2])
                for stream in streams { stream.write([5]) }
            }
            #expect(crowd.receive(0, 1) == [5])
            // Together they have all been sent by then; one by one the later two have not.
            #expect(crowd.receive(1, 2) == (isBatched ? [5] : []))
            #expect(crowd.receive(2, isBatched ? 2 : 1) == (isBatched ? [5, 6] : [6]))
        }
    }
}
