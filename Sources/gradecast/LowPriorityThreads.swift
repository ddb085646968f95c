import Application
import Threads

/// Runs long work on a thread that gives way to the event loops.
///
/// On Swift's own threads, such work would delay grades, because the system lets a thread finish its time slice before
/// it runs another of the same priority. A thread of lower priority gives way at once.
struct LowPriorityThreads: LowPriorityExecutor {
    /// Runs `body` on its own thread or, if the system has none left, where other tasks run.
    func run(_ rank: LowPriorityRank, _ body: @escaping @Sendable () async -> Void) async {
        guard let thread = try? TaskThread("low priority", niceness: rank.niceness) else { return await body() }
        await withTaskExecutorPreference(thread) { await body() }
        await thread.join()
    }
}

extension LowPriorityRank {
    fileprivate var niceness: Int32 {
        switch self {
        case .last: Thread.lowestPriority
        case .third: 15
        case .second: 10
        }
    }
}
