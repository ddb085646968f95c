/// A change that waits for the writer, with the two ways of telling its caller.
struct WriteJob: Sendable {
    /// Does the change, and answers how to tell the caller once it is durable.
    let perform: @Sendable (WriteTransaction) throws -> @Sendable () -> Void
    /// Tells the caller that nothing was changed.
    let fail: @Sendable (any Error) -> Void
}
