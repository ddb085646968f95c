import Glibc

/// The processor time of a thread. Unlike elapsed time, it does not include what others did meanwhile.
public enum ProcessorTime {
    /// The time that the current thread has been running, in nanoseconds.
    public static func ofThread() -> Int64 {
        var time = timespec()
        // Linux always has this clock for the calling thread.
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
