internal import Deadlines
internal import Synchronization

/// A few threads that do pieces of work in the order in which they come, so that no event loop is held up.
///
/// A thread starts when work comes while the others are busy, and then stays. Work that does not fit into the queue is
/// refused.
public final class WorkerPool: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var threads: [Thread] = []
        /// Pieces of work that wait or are being done.
        var unfinished = 0
        var isClosed = false
    }

    private let name: String
    private let threads: Int
    private let niceness: Int32
    private let capacity: Int
    private let state = Mutex(State())
    private let queue = BlockingQueue<Job>()

    /// Creates a pool that has no threads yet.
    ///
    /// - Parameters:
    ///   - name: the name that tools show for its threads.
    ///   - threads: how many pieces of work may be done at once; at least 1.
    ///   - niceness: how far its threads give way to others, 0 to 19.
    ///   - capacity: how many pieces of work may wait for a thread.
    public init(_ name: String, threads: Int = 1, niceness: Int32 = 0, capacity: Int) {
        self.name = name
        self.threads = max(1, threads)
        self.niceness = niceness
        self.capacity = max(0, capacity)
    }

    // The threads refer to the queue alone, so they end when it is empty.
    deinit { queue.close() }

    /// How many pieces of work wait for a thread.
    public var waiting: Int { queue.count }

    /// Whether the calling thread is one of the pool's.
    public var isCurrent: Bool { state.withLock { $0.threads.contains(where: \.isCurrent) } }

    /// Queues a piece of work; returns `false` if too much waits, the pool is closed or the system cannot start a
    /// thread.
    public func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        enqueue { [self] in
            work()
            leave()
        }
    }

    /// Does a piece of work on the pool and returns its result. A task that is cancelled meanwhile still waits.
    ///
    /// - Throws: ``WorkRefused`` when `submit` would return `false`; `DeadlinePassed` if the deadline of the calling
    ///   task passes before a thread takes the work up; otherwise what the work throws.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let deadline = Deadline.current
        return try await withCheckedThrowingContinuation { continuation in
            let isQueued = enqueue { [self] in
                let result = Result {
                    try deadline.check()
                    return try work()
                }
                // First, so that the caller finds its place free.
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

    /// Stops accepting work, and returns when the queued work is done and every thread has ended. The work itself must
    /// not call this.
    public func join() async {
        close()
        for thread in state.withLock(\.threads) { await thread.join() }
    }

    /// Does the same as ``join()``, but blocks the calling thread. Only one caller may do so, and no task.
    public func joinByBlocking() {
        close()
        for thread in state.withLock(\.threads) { thread.joinByBlocking() }
    }

    private func enqueue(_ job: @escaping Job) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.unfinished < threads + capacity else { return false }
            // Under the lock, so that `join` misses no thread. Starting one takes microseconds and waits for nothing.
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

/// The error of a pool that does not take a piece of work: too much waits for it, it is closed, or the system cannot
/// start a thread.
public struct WorkRefused: Error, Sendable {}
