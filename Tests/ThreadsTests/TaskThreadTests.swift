import Glibc
import TestKit
import Testing
import Threads

@Suite struct `A thread for tasks` {
    @Test func `runs the tasks that prefer it, after every suspension`() async throws {
        let thread = try TaskThread("tasks")
        let identities = try await withTaskExecutorPreference(thread) {
            var found = [UInt(pthread_self())]
            await Task.yield()
            found.append(UInt(pthread_self()))
            async let child = UInt(pthread_self())
            found.append(await child)
            try await onThread {}
            found.append(UInt(pthread_self()))
            return found
        }
        #expect(Set(identities).count == 1)
        await thread.join()
    }

    @Test func `steps back behind other threads`() async throws {
        let thread = try TaskThread("tasks", niceness: 7)
        let niceness = await withTaskExecutorPreference(thread) {
            getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        }
        #expect(niceness == 7)
        await thread.join()
    }
}
