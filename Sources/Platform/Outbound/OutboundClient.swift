private import Threads

/// Sends requests to services outside, on a few threads of its own: an event loop never waits for somebody else's server.
public final class OutboundClient: Sendable {
    private let policy: OutboundPolicy
    private let workers: WorkerPool

    /// A client of at most `threads` requests at once and `queue` that wait.
    public init(_ policy: OutboundPolicy = OutboundPolicy(), threads: Int = 8, queue: Int = 64) {
        self.policy = policy
        workers = WorkerPool("outbound", threads: threads, capacity: queue)
    }

    /// Sends a request and waits for its whole answer. Redirects are answers like any other.
    public func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        guard policy.allows(url: request.url) else { throw .addressRefused }
        guard let result = try? await workers.run({ [policy] in Transfer.perform(request, under: policy) }) else {
            throw .busy
        }
        return try result.get()
    }

    /// Takes no more requests, and returns once its threads have ended.
    public func close() async { await workers.join() }
}
