import Deadlines
import TestKit
import Testing
import Threads

@Suite struct `A pool of workers` {
    private struct Refusal: Error, Equatable {}

    @Test func `returns what the work returns, and throws what it throws`() async throws {
        let pool = WorkerPool("test", capacity: 1)
        #expect(try await pool.run { 6 * 7 } == 42)
        await #expect(throws: Refusal.self) { try await pool.run { throw Refusal() } }
        await pool.join()
    }

    @Test func `one worker does one piece after the other, in order`() async throws {
        let pool = WorkerPool("test", capacity: 100)
        let done = Recorder<Int>()
        for number in 0..<100 { #expect(pool.submit { done.record(number) }) }
        await pool.join()
        #expect(done.items == Array(0..<100))
    }

    @Test func `what does not fit is refused, and what was taken is done`() async throws {
        let pool = WorkerPool("test", threads: 2, capacity: 1)
        let gate = Gate()
        let done = Recorder<Int>()
        let isTaken = (0..<5).map { number in
            pool.submit {
                gate.pass()
                done.record(number)
            }
        }
        #expect(isTaken == [true, true, true, false, false])
        await #expect(throws: WorkRefused.self) { try await pool.run {} }
        gate.open()
        await pool.join()
        #expect(Set(done.items) == [0, 1, 2])
    }

    @Test func `a caller that was answered finds its place free`() async throws {
        let pool = WorkerPool("test", capacity: 0)
        for number in 0..<200 { #expect(try await pool.run { number } == number) }
        await pool.join()
    }

    @Test func `a pool knows its own thread`() async throws {
        let (pool, other) = (WorkerPool("test", capacity: 1), WorkerPool("other", capacity: 1))
        #expect(!pool.isCurrent)
        #expect(try await pool.run { pool.isCurrent && !other.isCurrent })
        #expect(try await other.run { !pool.isCurrent && other.isCurrent })
        await pool.join()
        await other.join()
    }

    @Test func `a joined pool has done what waited, and refuses more`() async throws {
        let pool = WorkerPool("test", capacity: 2)
        let gate = Gate()
        let done = Recorder<Int>()
        for number in 0..<2 {
            _ = pool.submit {
                gate.pass()
                done.record(number)
            }
        }
        pool.close()
        #expect(!pool.submit {})
        gate.open()
        await pool.join()
        #expect(done.items == [0, 1])
    }

    @Test func `work whose caller has stopped waiting is not begun when its turn comes`() async throws {
        let pool = WorkerPool("test", capacity: 2)
        let (gate, done) = (Gate(), Recorder<String>())
        #expect(pool.submit { gate.pass() })
        try await withThrowingTaskGroup { group in
            for (name, time) in [("late", Duration.zero), ("in time", .seconds(3_600))] {
                group.addTask {
                    try await Deadline.$current.withValue(Deadline(time)) {
                        do {
                            try await pool.run { done.record(name) }
                        } catch is DeadlinePassed {
                            done.record("given up")
                        }
                    }
                }
            }
            while pool.waiting < 2 { await Task.yield() }
            gate.open()
            try await group.waitForAll()
        }
        #expect(Set(done.items) == ["given up", "in time"])
        await pool.join()
    }

    @Test func `a pool that nothing refers to does what waited`() async throws {
        let (news, feed) = AsyncStream<Int>.makeStream()
        _ = WorkerPool("test", capacity: 1).submit {
            feed.yield(1)
            feed.finish()
        }
        var told: [Int] = []
        for await number in news { told.append(number) }
        #expect(told == [1])
    }
}
