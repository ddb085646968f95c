internal import Deadlines
internal import Synchronization

/// A few threads that do one piece of work after the other, in the order it came, so that no event loop is held up.
///
/// A thread starts when there is work and the others are busy, and stays. What does not fit is refused rather than piled
/// up.
public final class WorkerPool: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var threads: [Thread] = []
        /// Pieces that wait or are being done.
        var unfinished = 0
        var isClosed = false
    }

    private let name: String
    private let threads: Int
    private let niceness: Int32
    private let capacity: Int
    private let state = Mutex(State())
    private let queue = BlockingQueue<Job>()

    /// A pool without threads as yet.
    ///
    /// - Parameters:
    ///   - name: what tools show for its threads.
    ///   - threads: how many pieces may be done at once; at least 1.
    ///   - niceness: how far they step back behind other threads, 0 to 19.
    ///   - capacity: how many pieces may wait for a thread.
    public init(_ name: String, threads: Int = 1, niceness: Int32 = 0, capacity: Int) {
        self.name = name
        self.threads = max(1, threads)
        self.niceness = niceness
        self.capacity = max(0, capacity)
    }

    // The threads refer to the queue alone: they end with what is in it.
    deinit { queue.close() }

    /// Pieces that wait for a thread.
    public var waiting: Int { queue.count }

    /// Whether the calling thread is one of the pool's.
    public var isCurrent: Bool { state.withLock { $0.threads.contains(where: \.isCurrent) } }

    /// Has a piece of work done; `false` when too much waits, the pool is closed or the system has no thread to give.
    public func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        enqueue { [self] in
            work()
            leave()
        }
    }

    /// Has a piece of work done and waits for what it returns. A task that is cancelled meanwhile still waits.
    ///
    /// - Throws: ``WorkRefused`` where `submit` returns `false`; `DeadlinePassed` when the deadline of the calling task
    ///   has passed before a thread takes the work up; else what the work throws.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let deadline = Deadline.current
        return try await withCheckedThrowingContinuation { continuation in
            let isQueued = enqueue { [self] in
                let result = Result {
                    try deadline.check()
                    return try work()
                }
                // First, so that the caller finds the place free that it held.
                leave()
                continuation.resume(with: result)
            }
            if !isQueued { continuation.resume(throwing: WorkRefused()) }
        }
    }

    /// Refuses new work; the threads end when they have finished what is queued.
    public func close() {
        state.withLock { $0.isClosed = true }
        queue.close()
    }

    /// Takes no more work, lets what waits be done, and returns once every thread has ended. Not to be called by work.
    public func join() async {
        close()
        for thread in state.withLock(\.threads) { await thread.join() }
    }

    /// The same, but blocks the calling thread. For one caller, and not for tasks.
    public func joinByBlocking() {
        close()
        for thread in state.withLock(\.threads) { thread.joinByBlocking() }
    }

    private func enqueue(_ job: @escaping Job) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.unfinished < threads + capacity else { return false }
            // Under the lock, so that `join` misses no thread: making one takes microseconds and waits for nothing.
            if state.unfinished >= state.threads.count, state.threads.count < threads, let thread = start() {
                state.threads.append(thread)
            }
            guard !state.threads.isEmpty, queue.push(job) else { return false }
            state.unfinished += 1
            return true
        }
    }

    private func start() -> Thread? {
        let queue = queue
        return try? Thread(name, niceness: niceness) { while let job = queue.next() { job() } }
    }

    private func leave() { state.withLock { $0.unfinished -= 1 } }
}

/// A pool of threads does not take a piece of work: too much waits for it, it is closed, or the system has no thread.
public struct WorkRefused: Error, Sendable {}
