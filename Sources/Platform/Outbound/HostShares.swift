import Synchronization

/// How many requests each host may have under way, and who waits for a turn.
///
/// A turn that comes after its deadline is not taken: the caller has given up by then. Every request under way ends
/// within its time, so each wait ends as well.
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
    private let patience: Duration
    private let shares = Mutex<[String: Share]>([:])

    /// - Parameters:
    ///   - running: requests to a host at once; at least 1.
    ///   - waiting: requests to a host that wait for their turn.
    ///   - patience: how long a request may wait.
    init(running: Int, waiting: Int, patience: Duration) {
        self.running = max(1, running)
        self.waiting = max(0, waiting)
        self.patience = patience
    }

    /// Waits for a turn; `false` when too many wait, or the turn came too late. Every `true` is followed by ``leave(_:)``.
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
                share.waiters.append(Waiter(deadline: .now + patience, turn: turn))
                return nil
            }
            if let answer { turn.resume(returning: answer) }
        }
    }

    /// Ends a turn and gives it to the first who still waits.
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

    /// How many wait for a turn.
    func waiting(for host: String) -> Int { shares.withLock { $0[host]?.waiters.count ?? 0 } }

    /// How many hosts have requests under way.
    var hosts: Int { shares.withLock { $0.count } }
}
