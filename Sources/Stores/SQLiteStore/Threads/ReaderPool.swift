import SQLite
import Shared
import Threads

/// A few read connections, each on its own thread, that take jobs from one bounded queue.
struct ReaderPool: Sendable {
    typealias Job = @Sendable (Connection) -> Void

    private let queue: BlockingQueue<Job>
    private let threads: [Thread]

    /// Starts a thread for each connection that `open` creates.
    init(count: Int, capacity: Int, open: () throws -> Connection) throws {
        let queue = BlockingQueue<Job>(capacity: capacity)
        self.queue = queue
        do {
            threads = try (1...count).map { try Self.start("reader \($0)", queue, try open()) }
        } catch {
            queue.close()
            throw error
        }
    }

    /// Starts a thread that owns a connection, to which there are no other references.
    private static func start(_ name: String, _ queue: BlockingQueue<Job>, _ connection: Connection) throws -> Thread {
        nonisolated(unsafe) let connection = connection
        return try Thread(name) { while let job = queue.next() { job(connection) } }
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

    /// Accepts no more reads; the threads end once the queue is empty.
    func stop() { queue.close() }

    /// Finishes the queued reads, then closes the connections.
    func close() async {
        stop()
        for thread in threads { await thread.join() }
    }
}
