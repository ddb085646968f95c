import Deadlines
import Synchronization

/// A change that waits for the writer, with its caller.
protocol WriteJob: AnyObject, Sendable {
    /// Does the change, unless its caller has stopped waiting. It begins anew where the changes of a batch are made once
    /// more.
    func perform(in transaction: WriteTransaction) throws
    /// Tells the caller: that the change is durable, or why it was not made. Called once.
    func end(_ refusal: (any Error)?)
}

/// A change that gives its caller a value. One object, from the queue to the answer.
final class WriteCall<Value: Sendable>: WriteJob {
    private let body: @Sendable (WriteTransaction) throws -> Value
    /// When it is too late to begin.
    private let deadline: Deadline?
    // Unchecked, which spares an object for each grade: the writer ends each job exactly once, or the queue refuses it.
    private let caller: UnsafeContinuation<Value, any Error>
    private let value = Mutex<Value?>(nil)

    init(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value, until deadline: Deadline?,
        for caller: UnsafeContinuation<Value, any Error>
    ) {
        self.body = body
        self.deadline = deadline
        self.caller = caller
    }

    func perform(in transaction: WriteTransaction) throws {
        try deadline.check()
        let made = try body(transaction)
        value.withLock { $0 = made }
    }

    func end(_ refusal: (any Error)?) {
        if let refusal { return caller.resume(throwing: refusal) }
        // What is told as made was performed: the writer ends a batch it has gone through.
        if let made = value.withLock({ $0 }) { caller.resume(returning: made) }
    }
}
