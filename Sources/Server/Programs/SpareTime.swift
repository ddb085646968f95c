import Transport

/// Where long work is done for which nobody waits: a thread that leaves the processor to all others.
///
/// On Swift's own threads such work would make grades wait, for the system lets a thread finish its slice of time
/// before it runs another of the same rank; one of this rank makes way at once.
enum SpareTime {
    /// Runs `body`, and the tasks within it, on such a thread; where the system has none left, where other tasks run.
    static func run(_ body: @Sendable () async -> Void) async {
        guard let group = try? EventLoopGroup(count: 1, batchesSends: false, makesWay: true),
            let loop = group.loops.first
        else { return await body() }
        await withTaskExecutorPreference(loop) { await body() }
        await group.shutdown()
    }
}
