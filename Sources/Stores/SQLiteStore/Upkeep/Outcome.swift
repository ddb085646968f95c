import Synchronization

/// Carries how something ended from the thread that did it to the task that waits for it.
final class Outcome: Sendable {
    private let result = Mutex<Result<Void, any Error>>(.success(()))

    func set(_ new: sending Result<Void, any Error>) { result.withLock { $0 = new } }

    func get() throws { try result.withLock { $0 }.get() }
}
