private import Threads

/// Sends requests to external services on a few threads of its own, so that no event loop waits for another server.
///
/// Each host may use only its share of the threads, so that a host that hangs leaves the rest to the others.
public final class OutboundClient: Sendable {
    private let policy: OutboundPolicy
    private let workers: WorkerPool
    private let shares: HostShares

    /// Creates a client that sends at most `threads` requests at once, while at most `queue` wait.
    ///
    /// - Parameter share: how many requests to one host may be in progress at once; at least 1.
    public init(
        _ policy: OutboundPolicy = OutboundPolicy(), threads: Int = 16, share: Int = 4, queue: Int = 64
    ) {
        self.policy = policy
        workers = WorkerPool("outbound", threads: threads, capacity: queue)
        shares = HostShares(running: share, waiting: queue, longestWait: .milliseconds(policy.milliseconds))
    }

    /// Sends a request and returns its whole answer. A redirect is an answer like any other and is not followed. When the
    /// task is cancelled, the exchange ends within a second.
    public func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        guard policy.allows(url: request.url) else { throw .addressRefused }
        let host = OutboundPolicy.authority(of: request.url)
        guard await shares.enter(host) else { throw .busy }
        defer { shares.leave(host) }
        let watch = TransferWatch()
        let result = await withTaskCancellationHandler {
            try? await workers.run { [policy] in Transfer.perform(request, under: policy, watchedBy: watch) }
        } onCancel: {
            watch.end()
        }
        guard let result else { throw .busy }
        return try result.get()
    }

    /// Stops accepting requests, and returns when its threads have ended.
    public func close() async { await workers.join() }
}
