import Accounts
import Shared

/// A provider's document, cached for a while; a failure to fetch it is cached briefly. If many callers need it at once,
/// only one of them fetches it.
actor FetchedDocument<Value: Sendable> {
    /// Seconds to wait after a failed attempt, so that guests' requests cannot cause as many requests by the server.
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
        // Detached, because the callers share the task, but not the first caller's deadline.
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
