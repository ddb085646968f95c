internal import Synchronization
import Threads

/// Runs blocking code off the cooperative pool, which has a thread per core and none to lose.
@discardableResult
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        do throws(ThreadError) {
            _ = try Thread("test") { continuation.resume(with: Result { try body() }) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// Blocking code that runs on a thread of its own from the start, while the test goes on and blocks its own thread.
public final class BackgroundWork<Value: Sendable>: Sendable {
    private final class Outcome: Sendable {
        let kept = Mutex<Result<Value, any Error>?>(nil)
    }

    private let outcome: Outcome
    private let thread: Thread

    /// Starts the thread.
    public init(_ body: @escaping @Sendable () throws -> Value) throws {
        let outcome = Outcome()
        self.outcome = outcome
        thread = try Thread("test") {
            let result = Result { try body() }
            outcome.kept.withLock { $0 = result }
        }
    }

    /// Blocks until the code has ended; for one caller. Returns its value, or `nil` if it was asked for before.
    public func finish() throws -> Value? {
        thread.joinByBlocking()
        return try outcome.kept.withLock { $0.take() }?.get()
    }
}
