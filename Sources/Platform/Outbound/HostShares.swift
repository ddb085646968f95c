import Synchronization

/// How many requests to each host are in progress, and which ones wait for a turn.
///
/// A request whose turn comes after its deadline does not take it, because its caller has given up by then. Every
/// request in progress ends within its time, so every wait ends as well.
final class HostShares: Sendable {
    private struct Waiter {
        let deadline: ContinuousClock.Instant
        let turn: CheckedContinuation<Bool, Never>
    }

    private struct Share {
        var running = 0
        var waiters: ArraySlice<Waiter> = []
    }

    private let running: Int
    private let waiting: Int
    private let longestWait: Duration
    private let shares = Mutex<[String: Share]>([:])

    /// - Parameters:
    ///   - running: how many requests to a host may be in progress; at least 1.
    ///   - waiting: how many requests to a host may wait for their turn.
    ///   - longestWait: how long a request may wait.
    init(running: Int, waiting: Int, longestWait: Duration) {
        self.running = max(1, running)
        self.waiting = max(0, waiting)
        self.longestWait = longestWait
    }

    /// Waits for a turn; `false` if too many requests wait, or if the turn came too late. Call ``leave(_:)`` after
    /// every `true`.
    func enter(_ host: String) async -> Bool {
        await withCheckedContinuation { turn in
            let answer = shares.withLock { shares -> Bool? in
                var share = shares[host] ?? Share()
                defer { shares[host] = share }
                if share.running < running {
                    share.running += 1
                    return true
                }
                guard share.waiters.count < waiting else { return false }
                share.waiters.append(Waiter(deadline: .now + longestWait, turn: turn))
                return nil
            }
            if let answer { turn.resume(returning: answer) }
        }
    }

    /// Ends a turn and gives it to the first request that still waits.
    func leave(_ host: String) {
        let now = ContinuousClock.now
        let (late, next) = shares.withLock { shares -> ([Waiter], Waiter?) in
            guard var share = shares[host] else { return ([], nil) }
            let late = Array(share.waiters.prefix { $0.deadline <= now })
            share.waiters = share.waiters.dropFirst(late.count)
            let next = share.waiters.popFirst()
            if next == nil { share.running -= 1 }
            shares[host] = share.running > 0 ? share : nil
            return (late, next)
        }
        for waiter in late { waiter.turn.resume(returning: false) }
        next?.turn.resume(returning: true)
    }

    /// Returns how many requests to a host wait for a turn.
    func waiting(for host: String) -> Int { shares.withLock { $0[host]?.waiters.count ?? 0 } }

    /// How many hosts have requests in progress.
    var hosts: Int { shares.withLock { $0.count } }
}
