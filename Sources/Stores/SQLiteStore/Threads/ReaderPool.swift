import SQLite
import Shared

/// A few read connections, each on a thread of its own, taking from one bounded queue.
struct ReaderPool: Sendable {
    typealias Job = @Sendable (Connection) -> Void

    private let queue: JobQueue<Job>
    private let finished: Latch

    /// Starts a thread for each of the connections that `open` makes.
    init(count: Int, capacity: Int, open: () throws -> Connection) throws {
        queue = JobQueue(capacity: capacity)
        finished = Latch(count: count)
        do {
            for _ in 0..<count { try start(open) }
        } catch {
            stop()
            throw error
        }
    }

    private func start(_ open: () throws -> Connection) throws {
        // `open` makes a connection that nothing else refers to, so the thread may have it to itself.
        nonisolated(unsafe) let connection = try open()
        let queue = queue
        let finished = finished
        try DatabaseThread.start {
            while let job = queue.next() { job(connection) }
        } end: {
            finished.countDown()
        }
    }

    /// Runs `body` on one of the connections, in one read transaction.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isQueued = queue.push { connection in
                let result = Result { try connection.withTransaction(.deferred) { try body(connection) } }
                continuation.resume(with: result.mapError(StoreError.translating))
            }
            if !isQueued { continuation.resume(throwing: StoreError.unavailable("too many reads wait, or closing")) }
        }
    }

    /// Takes no more reads; the threads end once the queue is empty.
    func stop() { queue.close() }

    /// Lets the queued reads finish, then closes the connections.
    func close() async {
        stop()
        await finished.wait()
    }
}
