import Testing

@testable import Transport

@Suite struct `The timer queue` {
    private final class Log {
        var entries: [Int] = []
    }

    private func at(_ nanoseconds: UInt64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

    @Test func `gives timers back by deadline, and none too early`() {
        var queue = TimerQueue()
        let log = Log()
        for deadline in [50, 10, 40, 20, 30] {
            _ = queue.schedule(at: at(UInt64(deadline))) { log.entries.append(deadline) }
        }
        #expect(queue.next == at(10))
        let early = queue.popDue(at(9))
        #expect(early == nil)
        while let action = queue.popDue(at(30)) { action() }
        #expect(log.entries == [10, 20, 30])
        #expect(queue.count == 2)
    }

    @Test func `tells the deadline of a timer until it has run or been cancelled`() {
        var queue = TimerQueue()
        let tokens = [50, 10, 40, 20, 30].map { queue.schedule(at: at($0)) {} }
        #expect(tokens.map { queue.deadline(of: $0) } == [50, 10, 40, 20, 30].map { at($0) })
        queue.cancel(tokens[2])
        _ = queue.popDue(at(15))
        #expect(tokens.map { queue.deadline(of: $0) } == [at(50), nil, nil, at(20), at(30)])
        let again = queue.schedule(at: at(60)) {}
        #expect(tokens.map { queue.deadline(of: $0) } == [at(50), nil, nil, at(20), at(30)])
        #expect(queue.deadline(of: again) == at(60))
    }

    @Test func `takes cancelled timers out at once and knows old tokens`() {
        var queue = TimerQueue()
        let first = queue.schedule(at: at(1)) {}
        let second = queue.schedule(at: at(2)) {}
        #expect(queue.isWaiting(first))
        queue.cancel(first)
        #expect(!queue.isWaiting(first))
        #expect(queue.count == 1)
        let third = queue.schedule(at: at(3)) {}
        queue.cancel(first)
        #expect(queue.count == 2)
        queue.cancel(second)
        queue.cancel(third)
        #expect(queue.next == nil)
    }

    @Test func `agrees with a sorted list over random use`() {
        var queue = TimerQueue()
        var model: [(deadline: UInt64, token: TimerToken)] = []
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<4) {
            case 0, 1:
                let deadline = UInt64.random(in: 0..<1000)
                model.append((deadline, queue.schedule(at: at(deadline)) {}))
            case 2:
                guard let index = model.indices.randomElement() else { continue }
                queue.cancel(model.remove(at: index).token)
            default:
                guard let least = model.map(\.deadline).min() else { continue }
                #expect(queue.next == at(least))
                let action = queue.popDue(at(least))
                #expect(action != nil)
                model.removeAll { !queue.isWaiting($0.token) }
            }
            #expect(queue.count == model.count)
        }
    }

    @Test func `moments do not overflow`() {
        #expect(at(5) + .seconds(1) == at(1_000_000_005))
        #expect(at(5) + .nanoseconds(-6) == at(0))
        #expect(at(5) + .seconds(Int64.max) == at(.max))
        #expect(at(.max) + .nanoseconds(1) == at(.max))
        #expect(at(3) - at(5) == .nanoseconds(-2))
        #expect(at(.max) - at(0) == .nanoseconds(Int64.max))
    }
}
