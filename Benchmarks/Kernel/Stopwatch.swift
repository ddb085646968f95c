import Glibc

/// Times pieces of work by the processor time of the thread, so that a busy machine costs patience and not truth.
struct Stopwatch {
    /// Rounds of which the quickest counts.
    let rounds: Int
    /// How long a round lasts.
    let seconds: Double

    /// Microseconds of processor time that one call of `work` takes, at best.
    func microseconds(_ work: () throws -> Void) rethrows -> Double {
        var repetitions = 1
        while try time(repetitions, work) < seconds { repetitions *= 2 }
        var best = Double.infinity
        for _ in 0..<rounds { best = min(best, try time(repetitions, work)) }
        return best / Double(repetitions) * 1e6
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
