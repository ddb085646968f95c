import Application
import Glibc
import Transport

/// Runs long work on a thread that makes way for the event loops.
///
/// On Swift's own threads such work would make grades wait, for the system lets a thread finish its slice of time
/// before it runs another of the same rank; one of a lower rank makes way at once.
struct LowPriorityThreads: LowPriorityExecutor {
    /// Runs `body` on a thread of its own; where the system has none left, where other tasks run.
    func run(_ rank: LowPriorityRank, _ body: @escaping @Sendable () async -> Void) async {
        guard let group = try? EventLoopGroup(count: 1, batchesSends: false, makesWay: rank == .last),
            let loop = group.loops.first
        else { return await body() }
        await withTaskExecutorPreference(loop) {
            // On Linux the priority is the calling thread's own; if it stays as it is, others wait a little longer.
            if rank == .second { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
            await body()
        }
        await group.shutdown()
    }
}
