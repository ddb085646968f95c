import Synchronization

/// Work that waits for the one who does it, in order; what does not fit is refused rather than piled up.
final class WorkQueue<Item: Sendable>: Sendable {
    private let stream: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let waiting: Mutex<Int>
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        waiting = Mutex(0)
        (stream, continuation) = AsyncStream.makeStream(of: Item.self)
    }

    /// Queues something; `false` when too much waits already.
    func push(_ item: Item) -> Bool {
        guard takePlace() else { return false }
        continuation.yield(item)
        return true
    }

    /// Queues something once it is prepared, for which its place is kept; when that throws, it is not queued.
    func push(_ item: Item, preparing prepare: () async throws -> Void) async rethrows -> Bool {
        guard takePlace() else { return false }
        do {
            try await prepare()
        } catch {
            leavePlace()
            throw error
        }
        continuation.yield(item)
        return true
    }

    private func takePlace() -> Bool {
        waiting.withLock { waiting in
            guard waiting < capacity else { return false }
            waiting += 1
            return true
        }
    }

    private func leavePlace() { waiting.withLock { $0 -= 1 } }

    /// Does one thing after the other until the task is cancelled.
    func forEach(_ body: (Item) async -> Void) async {
        for await item in stream {
            leavePlace()
            await body(item)
        }
    }
}
