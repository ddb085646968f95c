import Accounts
import Deadlines
import GradingKit
import Shared
import Synchronization
import TestKit
import Testing

@testable import Application

@Suite struct CalculationsTests {
    /// A cost of that many units.
    private func cost(_ units: Int) -> CalculationCost {
        CalculationCost(of: .reading, about: Array(repeating: UInt8(ascii: "{"), count: 251 * units))
    }

    private func code(_ work: () async throws -> Void) async -> String? {
        do {
            try await work()
            return nil
        } catch let error as UseCaseError {
            return "\(error.code) \(error.retryAfter ?? 0)"
        } catch {
            return "\(error)"
        }
    }

    /// Waits until so much waits.
    private func waits(_ units: Int, in calculations: Calculations) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(Patience.seconds)
        while calculations.waiting != units {
            try #require(clock.now < deadline)
            await Task.yield()
        }
    }

    @Test func `a cost of this test is what it says`() {
        #expect([3, 10, 100].map { cost($0).units } == [3, 10, 100])
        #expect(cost(2).isSmall && !cost(3).isSmall)
    }

    @Test func `what costs little is done where it is asked for`() async throws {
        // Nobody works beside.
        let calculations = Calculations(perSecond: 200)
        #expect(try await calculations.perform(cost(1), for: .address("a")) { 7 } == 7)
        await #expect(throws: EntryNotFound(entry: "x")) {
            try await calculations.perform(cost(1), for: .address("a")) { throw EntryNotFound(entry: "x") }
        }
    }

    @Test func `what waited until its caller has stopped waiting is not done`() async throws {
        let calculations = Calculations(perSecond: 200)
        let done = Recorder<String>()
        try await withThrowingTaskGroup { group in
            for (name, time) in [("late", Duration.zero), ("in time", .seconds(3_600))] {
                group.addTask {
                    let found = await code {
                        try await calculations.perform(cost(10), for: .address(name), until: Deadline(time)) {
                            done.record(name)
                        }
                    }
                    done.record(found ?? "done")
                }
            }
            try await waits(20, in: calculations)
            let worker = Task { await calculations.runAll() }
            try await group.waitForAll()
            worker.cancel()
            await worker.value
        }
        #expect(Set(done.items) == ["DeadlinePassed()", "in time", "done"])
    }

    @Test func `what costs more is done beside, in fair turns`() async throws {
        let calculations = Calculations(perSecond: 200)
        let done = Recorder<String>()
        try await withThrowingTaskGroup { group in
            var units = 0
            for (asker, count) in [("crowd", 5), ("other", 1)] {
                for number in 1...count {
                    group.addTask {
                        try await calculations.perform(cost(10), for: .address(asker)) {
                            done.record("\(asker) \(number)")
                        }
                    }
                    units += 10
                    try await waits(units, in: calculations)
                }
            }
            let worker = Task { await calculations.runAll() }
            try await group.waitForAll()
            worker.cancel()
            await worker.value
        }
        #expect(done.items == ["crowd 1", "other 1", "crowd 2", "crowd 3", "crowd 4", "crowd 5"])
    }

    @Test func `what guests ask for holds up neither people who have signed in nor changes`() async throws {
        let calculations = Calculations(perSecond: 200)
        let guest = Task { await code { try await calculations.perform(cost(10), for: .address("a")) {} } }
        try await waits(10, in: calculations)
        // Nobody works for guests yet.
        let workers = Task {
            await withDiscardingTaskGroup { group in
                for worker in calculations.workers where worker.lane != .guests {
                    group.addTask { await calculations.run(worker) }
                }
            }
        }
        let teacher = Asker.account(AccountID("t"))
        #expect(try await calculations.perform(cost(10), for: teacher) { 1 } == 1)
        #expect(try await calculations.perform(cost(10), for: teacher, in: .acts) { 2 } == 2)
        #expect(calculations.waiting == 10)
        workers.cancel()
        await workers.value
        let last = Task { await calculations.runAll() }
        last.cancel()
        await last.value
        #expect(await guest.value == "unavailable 1")
    }

    /// A clock of the processor that work sets forward.
    private final class Clock: Sendable {
        private let time = Mutex<Int64>(0)
        var now: Int64 { time.withLock { $0 } }
        func run(_ units: Int) { time.withLock { $0 += Int64(units) * CalculationCost.nanosecondsOfUnit } }
    }

    private func guest(at now: Timestamp) -> RequestContext {
        RequestContext(principal: .guest, client: Client(source: "192.0.2.1"), language: .english, now: now)
    }

    @Test func `what took longer than expected is charged afterwards`() async throws {
        let clock = Clock()
        let calculations = Calculations(perSecond: 10) { clock.now }
        let moment = Timestamp(microseconds: 1_000_000_000)
        // Fifty units are there at once. As little as expected, or less, costs what was expected.
        for _ in 1...9 {
            #expect(
                await code { try await calculations.perform(cost(1), for: guest(at: moment)) { clock.run(1) } } == nil)
        }
        #expect(
            await code { try await calculations.perform(cost(1), for: guest(at: moment)) { clock.run(100) } } == nil)
        // A hundred and nine were used: fifty-nine are missing, and one must be left.
        #expect(await code { try await calculations.perform(cost(1), for: guest(at: moment)) {} } == "rate_limited 7")
        let later = moment.adding(seconds: 7)
        #expect(await code { try await calculations.perform(cost(1), for: guest(at: later)) {} } == nil)
    }

    @Test func `what fails is charged for what it took as well`() async throws {
        struct Failure: Error {}
        let clock = Clock()
        let calculations = Calculations(perSecond: 10) { clock.now }
        let moment = Timestamp(microseconds: 1_000_000_000)
        _ = await code {
            try await calculations.perform(cost(1), for: guest(at: moment)) {
                clock.run(60)
                throw Failure()
            }
        }
        #expect(await code { try await calculations.perform(cost(1), for: guest(at: moment)) {} } == "rate_limited 2")
    }

    @Test func `a check of regulations ends, whatever was expected`() async throws {
        /// A reader whose work nothing counts.
        struct Reader: RegulationReader {
            let clock: Clock
            var library: [LibraryDocument] { [] }

            func review(
                _ question: RegulationQuestion, in language: Language, counting meter: WorkMeter
            ) -> JSONObject {
                for _ in 1...1_000 where !meter.isOver {
                    clock.run(1_000)
                    meter.add(100_000)
                }
                return ["over": .bool(meter.isOver)]
            }
        }
        let clock = Clock()
        let calculations = Calculations(perSecond: 100) { clock.now }
        let worker = Task { await calculations.runAll() }
        let review = RegulationReview(Reader(clock: clock), calculations, isInstalled: true)
        let question = RegulationQuestion(document: Array("x".utf8), examples: false, laws: false)
        let moment = Timestamp(microseconds: 1_000_000_000)
        let refused = await #expect(throws: FaultList.self) {
            _ = try await review.review(question, text: [], for: guest(at: moment))
        }
        #expect(refused?.faults.map(\.code) == ["review_too_long"])
        #expect(clock.now < 8_000_000_000)
        #expect(
            await code { _ = try await review.review(question, text: [], for: guest(at: moment)) }?.hasPrefix(
                "rate_limited") == true)
        worker.cancel()
        await worker.value
    }

    @Test func `what its caller has given up is not done`() async throws {
        let calculations = Calculations(perSecond: 200)
        let given = Task { try await calculations.perform(cost(10), for: .address("a")) { Issue.record("done") } }
        try await waits(10, in: calculations)
        given.cancel()
        await #expect(throws: CancellationError.self) { try await given.value }
        #expect(calculations.waiting == 0)
    }

    @Test func `who has the most waiting gives way to somebody with less`() async throws {
        let calculations = Calculations(perSecond: 200, capacity: 25, capacityOfAsker: 25)
        let first = Task { await code { try await calculations.perform(cost(20), for: .address("a")) {} } }
        try await waits(20, in: calculations)
        let second = Task { await code { try await calculations.perform(cost(10), for: .address("b")) {} } }
        #expect(await first.value == "unavailable 2")
        try await waits(10, in: calculations)
        let worker = Task { await calculations.runAll() }
        #expect(await second.value == nil)
        worker.cancel()
        await worker.value
    }

    @Test func `what does not fit is refused with the time to come back, and what waits at a stop too`() async throws {
        let calculations = Calculations(perSecond: 200, capacity: 25, capacityOfAsker: 15)
        let first = Task { await code { try await calculations.perform(cost(10), for: .address("a")) {} } }
        try await waits(10, in: calculations)
        #expect(await code { try await calculations.perform(cost(10), for: .address("a")) {} } == "rate_limited 1")
        let second = Task { await code { try await calculations.perform(cost(12), for: .address("b")) {} } }
        try await waits(22, in: calculations)
        #expect(await code { try await calculations.perform(cost(13), for: .address("c")) {} } == "unavailable 2")
        // A worker that comes when everything stops.
        let worker = Task {
            while !Task.isCancelled { await Task.yield() }
            await calculations.runAll()
        }
        worker.cancel()
        await worker.value
        #expect([await first.value, await second.value] == ["unavailable 1", "unavailable 1"])
        #expect(await code { try await calculations.perform(cost(4), for: .address("c")) {} } == "unavailable 1")
    }
}

extension Calculations {
    /// Works through every lane until the task is cancelled.
    func runAll() async {
        await withDiscardingTaskGroup { group in
            for worker in workers { group.addTask { await self.run(worker) } }
        }
    }
}
