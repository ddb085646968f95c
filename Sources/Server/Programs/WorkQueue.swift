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
        let fits = waiting.withLock { waiting in
            guard waiting < capacity else { return false }
            waiting += 1
            return true
        }
        if fits { continuation.yield(item) }
        return fits
    }

    /// Does one thing after the other until the task is cancelled.
    func forEach(_ body: (Item) async -> Void) async {
        for await item in stream {
            waiting.withLock { $0 -= 1 }
            await body(item)
        }
    }
}
