import Glibc
import Synchronization

/// Holds a thread until the test lets it go on.
public final class Gate: @unchecked Sendable {
    // Unchecked for the semaphore: made for sharing, at an address of its own, destroyed when nobody refers to it.
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let reached = Atomic(false)

    /// A closed gate.
    public init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Blocks the calling thread until the gate opens; for threads that may block, never for a task.
    public func pass() {
        reached.store(true, ordering: .releasing)
        while sem_wait(semaphore) != 0 {}
        sem_post(semaphore)
    }

    /// The same, but gives up when its patience is at an end: `false` then.
    public func passInTime() -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += Patience.seconds
        while sem_timedwait(semaphore, &deadline) != 0 {
            guard errno == EINTR else { return false }
        }
        sem_post(semaphore)
        return true
    }

    /// Returns once a thread stands at the gate.
    public func waitUntilReached() async {
        while !reached.load(ordering: .acquiring) { await Task.yield() }
    }

    /// Lets everyone through from now on.
    public func open() { sem_post(semaphore) }
}
