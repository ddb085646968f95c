import Glibc
import TestKit
import Testing
import Threads

@Suite struct `A thread` {
    /// What a thread found out about itself.
    private struct Portrait: Equatable {
        var name: String
        var niceness: Int32
    }

    private static func portrait() -> Portrait {
        var text = [UInt8](repeating: 0, count: 64)
        let file = open("/proc/thread-self/comm", O_RDONLY)
        let count = read(file, &text, text.count)
        close(file)
        return Portrait(
            name: String(decoding: text.prefix(max(0, count - 1)), as: UTF8.self),
            niceness: getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
    }

    @Test func `has its name and its place behind other threads`() async throws {
        let found = Recorder<Portrait>()
        let usual = Self.portrait().niceness
        for (name, niceness) in [("plain", Int32(0)), ("in the background", Thread.lowestPriority)] {
            try await Thread(name, niceness: niceness) {
                found.record(Self.portrait())
            }.join()
        }
        #expect(
            found.items == [
                Portrait(name: "plain", niceness: usual), Portrait(name: "in the backgrou", niceness: 19),
            ])
    }

    @Test func `is joined by all who wait, once it has let go of what it ran`() async throws {
        final class Captured: Sendable {
            let farewell: Recorder<Bool>
            init(_ farewell: Recorder<Bool>) { self.farewell = farewell }
            deinit { farewell.record(true) }
        }
        let farewell = Recorder<Bool>()
        let gate = Gate()
        let thread = try Thread("captor") { [captured = Captured(farewell)] in
            gate.pass()
            withExtendedLifetime(captured) {}
        }
        #expect(farewell.items.isEmpty)
        await withDiscardingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    await thread.join()
                    #expect(farewell.items == [true])
                }
            }
            gate.open()
        }
        await thread.join()
    }

    @Test func `is joined by a thread that blocks`() throws {
        let ran = Recorder<Bool>()
        try Thread("blocked for") { ran.record(true) }.joinByBlocking()
        #expect(ran.items == [true])
    }

    @Test func `runs to its end when nothing refers to it`() async throws {
        let (news, feed) = AsyncStream<Int>.makeStream()
        _ = try Thread("forgotten") {
            feed.yield(1)
            feed.finish()
        }
        var told: [Int] = []
        for await number in news { told.append(number) }
        #expect(told == [1])
    }

    @Test func `has the stack that it was given, and no impossible one`() async throws {
        // Deeper than the stack that threads usually have.
        let reached = Recorder<Int>()
        try await Thread("deep", stackSize: 64 << 20) {
            reached.record(Self.descend(48 << 10))
        }.join()
        #expect(reached.items == [48 << 10])
        let error = #expect(throws: ThreadError.self) { try Thread("none", stackSize: 1) {} }
        #expect(error?.number == EINVAL)
    }

    /// Goes so many kibibytes down the stack.
    @inline(never)
    private static func descend(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_000) { bytes in
            bytes.initialize(repeating: UInt8(truncatingIfNeeded: depth))
            let below = depth == 0 ? 0 : descend(depth - 1) + 1
            return below + (bytes[depth % bytes.count] == UInt8(truncatingIfNeeded: depth) ? 0 : 1)
        }
    }
}
