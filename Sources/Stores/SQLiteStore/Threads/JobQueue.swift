import Glibc
import Synchronization

/// A bounded first-in-first-out queue between any thread and the threads that take from it.
///
/// After ``close()`` nothing more goes in; what is inside is still handed out, then takers get `nil`.
final class JobQueue<Job: Sendable>: @unchecked Sendable {
    // Unchecked because of `available` alone: a POSIX semaphore is made to be shared by threads, it lives at a fixed
    // address of its own, and it is destroyed in `deinit`, when no thread can be waiting any more.
    private let available: UnsafeMutablePointer<sem_t>
    private let contents = Mutex(Contents())
    private let capacity: Int

    private struct Contents {
        var jobs: [Job?] = []
        var first = 0
        var isClosed = false

        var count: Int { jobs.count - first }

        mutating func popFirst() -> Job? {
            guard first < jobs.count else { return nil }
            let job = jobs[first]
            jobs[first] = nil
            first += 1
            if first == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                first = 0
            } else if first >= 1_024, first * 2 >= jobs.count {
                jobs.removeFirst(first)
                first = 0
            }
            return job
        }
    }

    init(capacity: Int) {
        self.capacity = capacity
        available = .allocate(capacity: 1)
        sem_init(available, 0, 0)
    }

    deinit {
        sem_destroy(available)
        available.deallocate()
    }

    /// Puts a job at the end; `false` when the queue is full or closed.
    func push(_ job: Job) -> Bool {
        let isIn = contents.withLock { contents in
            guard !contents.isClosed, contents.count < capacity else { return false }
            contents.jobs.append(job)
            return true
        }
        if isIn { sem_post(available) }
        return isIn
    }

    /// Waits for the next job; `nil` once the queue is closed and empty.
    func next() -> Job? {
        while sem_wait(available) != 0 {}  // interrupted by a signal: wait on
        if let job = contents.withLock({ $0.popFirst() }) { return job }
        // Woken without a job: the queue is closed. Pass it on to the next taker.
        sem_post(available)
        return nil
    }

    /// The next job if one is there already.
    func nextIfAny() -> Job? {
        guard sem_trywait(available) == 0 else { return nil }
        if let job = contents.withLock({ $0.popFirst() }) { return job }
        sem_post(available)
        return nil
    }

    /// How many jobs wait.
    var count: Int { contents.withLock { $0.count } }

    /// Lets nothing more in, and lets the takers go once it is empty.
    func close() {
        contents.withLock { $0.isClosed = true }
        sem_post(available)
    }
}
