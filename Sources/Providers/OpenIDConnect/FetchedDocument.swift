import Accounts
import Shared

/// A document of a provider, which is kept for a while; a failure to fetch it is kept for a moment. If many callers
/// need it at once, one of them fetches it.
actor FetchedDocument<Value: Sendable> {
    /// Seconds after a failed attempt in which nothing is fetched, so that guests' requests cannot cause as many
    /// requests of the server's own.
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

    /// Returns the document, fetched again if the cached one is older than `seconds`.
    func value(noOlderThan seconds: Int64) async throws(ProviderError) -> Value {
        let now = clock.now
        if let kept, now < kept.at.adding(seconds: seconds) { return kept.value }
        if let failed, now < failed.at.adding(seconds: Self.pause) { throw failed.error }
        if let fetching { return try await fetching.value.get() }
        // Detached, because the callers share the task, and the deadline of the first one is not theirs.
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
