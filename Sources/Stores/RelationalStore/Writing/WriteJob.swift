import Deadlines
import Shared
import Synchronization

/// A change that waits for the writer, with its caller.
package protocol WriteJob: AnyObject, Sendable {
    /// What the change rests on; `nil` if only the change itself knows.
    var ground: WriteGround? { get }
    /// What the change has to itself.
    var reach: WriteReach { get }
    /// Applies the change, unless its caller has stopped waiting, and stores the outcome. Runs again if the batch is
    /// repeated.
    func perform(in transaction: WriteTransaction) throws
    /// Stores the reason why the change is not made.
    func refuse(_ reason: any Error)
    /// Gives the caller the outcome stored last. Called once.
    func end()
}

/// A change that returns a value to its caller. One object carries it from the queue to the answer.
final class WriteCall<Value: Sendable>: WriteJob {
    let ground: WriteGround?
    let reach: WriteReach
    private let body: @Sendable (WriteTransaction) throws -> Value
    /// The deadline after which the change is not begun.
    private let deadline: Deadline?
    // Unchecked, which saves an allocation per change: the writer ends each job exactly once, or the queue refuses it.
    private let caller: UnsafeContinuation<Value, any Error>
    private let outcome: Mutex<Result<Value, any Error>>

    init(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value, on ground: WriteGround?,
        within reach: WriteReach, until deadline: Deadline?, for caller: UnsafeContinuation<Value, any Error>
    ) {
        self.ground = ground
        self.reach = reach
        self.body = body
        self.deadline = deadline
        self.caller = caller
        outcome = Mutex(.failure(notPerformed))
    }

    func perform(in transaction: WriteTransaction) throws {
        try deadline.check()
        let made = try body(transaction)
        outcome.withLock { $0 = .success(made) }
    }

    func refuse(_ reason: any Error) { outcome.withLock { $0 = .failure(reason) } }

    func end() { caller.resume(with: outcome.withLock { $0 }) }
}

extension WriteJob {
    /// Ends the change without making it, and gives its caller the reason.
    package func end(refusedFor reason: any Error) {
        refuse(reason)
        end()
    }
}

/// The initial outcome of every change; created once and shared.
private let notPerformed: any Error = StoreError.unavailable("the change was not begun")
