private import Threads

/// Sends requests to services outside, on a few threads of its own: an event loop never waits for somebody else's server.
///
/// Each host has a share of the threads, so that one that hangs leaves the others to the rest.
public final class OutboundClient: Sendable {
    private let policy: OutboundPolicy
    private let workers: WorkerPool
    private let shares: HostShares

    /// A client of at most `threads` requests at once and `queue` that wait.
    ///
    /// - Parameter share: how many requests to one host are under way at once; at least 1.
    public init(
        _ policy: OutboundPolicy = OutboundPolicy(), threads: Int = 16, share: Int = 4, queue: Int = 64
    ) {
        self.policy = policy
        workers = WorkerPool("outbound", threads: threads, capacity: queue)
        shares = HostShares(running: share, waiting: queue, patience: .milliseconds(policy.milliseconds))
    }

    /// Sends a request and waits for its whole answer. Redirects are answers like any other.
    public func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        guard policy.allows(url: request.url) else { throw .addressRefused }
        let host = OutboundPolicy.authority(of: request.url)
        guard await shares.enter(host) else { throw .busy }
        defer { shares.leave(host) }
        guard let result = try? await workers.run({ [policy] in Transfer.perform(request, under: policy) }) else {
            throw .busy
        }
        return try result.get()
    }

    /// Takes no more requests, and returns once its threads have ended.
    public func close() async { await workers.join() }
}
