package import Database
import Shared
import Synchronization
import Threads

/// A few read connections, each on its own thread, that take jobs from one bounded queue.
package struct ReaderPool: Sendable {
    private typealias Job = @Sendable (ReaderLink) -> Void

    private let queue: BlockingQueue<Job>
    private let threads: [Thread]

    /// Starts a thread for each connection that `open` creates. A connection that has ended is replaced by the next read;
    /// if that fails, reads fail until `attempts` let another one try.
    package init(
        count: Int, capacity: Int, sharing attempts: SharedAttempts = SharedAttempts(delay: .zero),
        open: @escaping @Sendable () throws -> Connection
    ) throws {
        let queue = BlockingQueue<Job>(capacity: capacity)
        self.queue = queue
        do {
            threads = try (1...count).map {
                try Self.start("reader \($0)", queue, ReaderLink(sharing: attempts, opening: open))
            }
        } catch {
            queue.close()
            throw error
        }
    }

    /// Starts a thread that owns a connection, to which there are no other references.
    private static func start(_ name: String, _ queue: BlockingQueue<Job>, _ made: ReaderLink) throws -> Thread {
        nonisolated(unsafe) let link = made
        return try Thread(name) {
            while let job = queue.next() { job(link) }
        }
    }

    /// Runs `body` on one of the connections, in one read transaction. It runs again, on a new connection, if the
    /// connection turns out to have ended.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isQueued = queue.push { link in
                continuation.resume(with: link.read(body).mapError(StoreError.translating))
            }
            if !isQueued { continuation.resume(throwing: StoreError.unavailable("too many reads wait, or closing")) }
        }
    }

    /// Accepts no more reads; the threads end once the queue is empty.
    package func stop() { queue.close() }

    /// Finishes the queued reads, then closes the connections.
    func close() async {
        stop()
        for thread in threads { await thread.join() }
    }
}

/// The attempts of all readers of a store to make their connections again.
package final class SharedAttempts: Sendable {
    private let state: Mutex<ConnectionAttempts>

    /// - Parameter delay: how long no reader tries after a failed attempt.
    package init(delay: Duration) { state = Mutex(ConnectionAttempts(delay: delay)) }

    /// Makes a connection; `nil` before the time of the next attempt, and if it fails.
    fileprivate func open(_ make: () throws -> Connection) -> Connection? {
        guard let attempt = state.withLock({ $0.begin(at: .now) }) else { return nil }
        do {
            let made = try make()
            state.withLock { $0.succeeded() }
            return made
        } catch {
            state.withLock { $0.failed(attempt, at: .now) }
            return nil
        }
    }
}

/// One thread's connection, and how to make it again.
private final class ReaderLink {
    private let attempts: SharedAttempts
    private let open: @Sendable () throws -> Connection
    private var connection: Connection

    init(sharing attempts: SharedAttempts, opening open: @escaping @Sendable () throws -> Connection) throws {
        self.attempts = attempts
        self.open = open
        connection = try open()
    }

    /// Reads in one transaction.
    func read<Value>(_ body: (Connection) throws -> Value) -> Result<Value, any Error> {
        if !connection.isUsable { replace() }
        let result = attempt(body)
        // A server may have ended the connection since the last read, which shows only now.
        guard !connection.isUsable, replace() else { return result }
        return attempt(body)
    }

    private func attempt<Value>(_ body: (Connection) throws -> Value) -> Result<Value, any Error> {
        Result { try connection.withTransaction(for: .reading) { try body(connection) } }
    }

    /// Makes the connection again; returns whether there is a new one. Until then the old one's error tells callers why.
    @discardableResult
    private func replace() -> Bool {
        guard let made = attempts.open(open) else { return false }
        connection = made
        return true
    }
}
