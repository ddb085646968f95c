import Glibc

/// Times pieces of work by the processor time of the thread, so that a busy machine costs patience and not truth.
struct Stopwatch {
    /// Rounds of which the quickest counts.
    let rounds: Int
    /// How long a round lasts.
    let seconds: Double

    /// Microseconds of processor time that one call of `work` takes, at best.
    func microseconds(_ work: () throws -> Void) rethrows -> Double {
        let repetitions = try repetitions(of: work)
        var best = Double.infinity
        for _ in 0..<rounds { best = min(best, try time(repetitions, work)) }
        return best / Double(repetitions) * 1e6
    }

    /// How many times as long one piece of work takes as another, and the microseconds of both, of rounds in turn.
    func ratio(of work: () throws -> Void, to other: () throws -> Void) rethrows -> (
        ratio: Double, microseconds: Double, other: Double
    ) {
        let (first, second) = (try repetitions(of: work), try repetitions(of: other))
        var best = (Double.infinity, Double.infinity)
        for _ in 0..<rounds {
            best.0 = min(best.0, try time(first, work) / Double(first))
            best.1 = min(best.1, try time(second, other) / Double(second))
        }
        return (best.0 / best.1, best.0 * 1e6, best.1 * 1e6)
    }

    /// How often work is done in a round.
    private func repetitions(of work: () throws -> Void) rethrows -> Int {
        var repetitions = 1
        while try time(repetitions, work) < seconds { repetitions *= 2 }
        return repetitions
    }

    private func time(_ repetitions: Int, _ work: () throws -> Void) rethrows -> Double {
        let start = Self.now
        for _ in 0..<repetitions { try work() }
        return Self.now - start
    }

    /// Seconds that this thread has been running.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Keeps the optimiser from leaving out work whose result nobody looks at.
@inline(never)
func keep<Value>(_ value: Value) {}
