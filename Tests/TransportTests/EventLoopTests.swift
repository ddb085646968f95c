import Synchronization
import TestKit
import Testing

@testable import Transport

@Suite struct `An event loop` {
    private final class Log: Sendable {
        private let entries = Mutex<[Int]>([])
        var all: [Int] { entries.withLock { $0 } }
        func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    }

    private actor Counter {
        private let loop: EventLoop
        private var count = 0

        init(loop: EventLoop) { self.loop = loop }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func increment() -> Bool {
            count += 1
            return loop.isCurrent
        }

        var total: Int { count }
    }

    /// A log made on the loop that writes it, which is how ThreadSanitizer knows that it was made before it was used: it
    /// does not see the lock under which work is handed over.
    private func log(on loop: EventLoop) async -> Log { await loop.run { Log() } }

    private func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1)
        try await body(group.loops[0])
        await group.shutdown()
    }

    @Test func `runs work in the order of each thread, on its own thread`() async throws {
        try await withLoop { loop in
            let log = await log(on: loop)
            for number in 0..<1000 { loop.execute { log.add(number) } }
            #expect(await loop.run { loop.isCurrent })
            #expect(!loop.isCurrent)
            #expect(log.all == Array(0..<1000))
        }
    }

    @Test func `runs timers by deadline and not those cancelled`() async throws {
        try await withLoop { loop in
            let log = await log(on: loop)
            await withCheckedContinuation { done in
                loop.execute {
                    loop.schedule(after: .milliseconds(6)) { done.resume() }
                    loop.schedule(after: .milliseconds(4)) { log.add(4) }
                    loop.schedule(after: .milliseconds(2)) { log.add(2) }
                    loop.cancel(loop.schedule(after: .milliseconds(3)) { log.add(3) })
                }
            }
            #expect(log.all == [2, 4])
        }
    }

    @Test func `runs the tasks that prefer it, after every suspension`() async throws {
        try await withLoop { loop in
            let task = Task(executorPreference: loop) {
                var places = [loop.isCurrent]
                await Task.yield()
                places.append(loop.isCurrent)
                try await onThread {}
                places.append(loop.isCurrent)
                return places
            }
            let places = try await task.value
            #expect(places == [true, true, true])
        }
    }

    @Test func `is the executor of actors`() async throws {
        try await withLoop { loop in
            let counter = Counter(loop: loop)
            await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { #expect(await counter.increment()) } }
            }
            #expect(await counter.total == 100)
        }
    }

    @Test func `takes work from many threads`() async throws {
        try await withLoop { loop in
            let log = await log(on: loop)
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { for number in 0..<2000 { loop.execute { log.add(number) } } }
                }
            }
            #expect(await loop.run { log.all.count } == 16_000)
        }
    }

    @Test func `does what is gathered for it, whoever else posts meanwhile`() async throws {
        try await withLoop { loop in
            let log = await log(on: loop)
            await withDiscardingTaskGroup { group in
                for poster in 0..<4 {
                    group.addTask {
                        for number in 0..<100 {
                            await withCheckedContinuation { done in
                                EventLoop.gather(for: [loop]) {
                                    loop.execute { log.add(poster * 100 + number) }
                                    loop.execute { done.resume() }
                                }
                            }
                        }
                    }
                }
            }
            #expect(log.all.sorted() == Array(0..<400))
        }
    }

    @Test func `does the work it has before it ends`() async throws {
        let group = try EventLoopGroup(count: 2)
        let logs = [await log(on: group.loops[0]), await log(on: group.loops[1])]
        for (loop, log) in zip(group.loops, logs) { loop.execute { loop.execute { loop.execute { log.add(1) } } } }
        await group.shutdown()
        #expect(logs.map(\.all) == [[1], [1]])
        await group.shutdown()
    }
}
