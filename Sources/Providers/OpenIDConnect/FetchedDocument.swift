import Accounts
import Shared

/// A document of a provider's, which is kept for a while, as is a failure to fetch it for a moment. Of many callers that
/// need it at once, one fetches it.
actor FetchedDocument<Value: Sendable> {
    /// Seconds after the end of an attempt that failed in which nothing is fetched: guests' requests must not become as many of the server's own.
    static var pause: Int64 { 5 }

    private var kept: (value: Value, at: Timestamp)?
    private var failed: (error: ProviderError, at: Timestamp)?
    private var fetching: Task<Result<Value, ProviderError>, Never>?
    private let clock: WallClock
    private let fetch: @Sendable () async throws(ProviderError) -> Value

    init(clock: WallClock, _ fetch: @escaping @Sendable () async throws(ProviderError) -> Value) {
        self.clock = clock
        self.fetch = fetch
    }

    /// The document, fetched again if the cached one is older than that many seconds.
    func value(noOlderThan seconds: Int64) async throws(ProviderError) -> Value {
        let now = clock.now
        if let kept, now < kept.at.adding(seconds: seconds) { return kept.value }
        if let failed, now < failed.at.adding(seconds: Self.pause) { throw failed.error }
        if let fetching { return try await fetching.value.get() }
        // Detached: callers share it, and the deadline of the first one is not theirs.
        let task = Task.detached { [fetch] () -> Result<Value, ProviderError> in
            do throws(ProviderError) {
                return .success(try await fetch())
            } catch {
                return .failure(error)
            }
        }
        fetching = task
        let result = await task.value
        fetching = nil
        switch result {
        case .success(let value): (kept, failed) = ((value, now), nil)
        case .failure(let error): failed = (error, clock.now)
        }
        return try result.get()
    }
}
