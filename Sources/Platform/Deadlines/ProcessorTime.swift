import Glibc

/// How much of a processor a thread has had. Unlike a clock on the wall it does not count what others did meanwhile.
public enum ProcessorTime {
    /// The time that the current thread has been running, in nanoseconds.
    public static func ofThread() -> Int64 {
        var time = timespec()
        // Linux knows this clock for the calling thread at any time.
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
