import Glibc
import Transport

/// A thread that leaves the processor to all others, for work that is long and that nobody waits for.
///
/// On Swift's own threads such work would make grades wait, for the system lets a thread finish its slice of time
/// before it runs another of the same rank; one of this rank makes way at once.
enum Patience {
    /// Runs `body`, and the tasks within it, on such a thread; where the system has none left, where other tasks run.
    static func run(_ body: @Sendable () async -> Void) async {
        guard let group = try? EventLoopGroup(count: 1, batchesSends: false), let loop = group.loops.first else {
            return await body()
        }
        // To Linux a thread is what POSIX calls a process here, and 0 the one that calls.
        await loop.run { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
        await withTaskExecutorPreference(loop) { await body() }
        await group.shutdown()
    }
}
