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
