/// Carries a value of a loop through code that may run anywhere, and gives it back only on the loop.
///
/// It is for the closures given to `EventLoop.execute` and for tasks that prefer the loop.
public struct LoopBound<Value>: @unchecked Sendable {
    // @unchecked: `stored` is used only on the loop's thread, which `value` and `init` check.
    private let stored: Value
    /// The loop that the value belongs to.
    public let loop: EventLoop

    /// Binds a value to the loop that the caller is on.
    public init(_ value: Value, to loop: EventLoop) {
        loop.checkIsolated()
        stored = value
        self.loop = loop
    }

    /// The value; only to be read on the loop.
    public var value: Value {
        loop.checkIsolated()
        return stored
    }
}
