/// Carries something of a loop's through code that might run anywhere, and gives it back on the loop only.
///
/// For the closures given to `EventLoop.execute` and for tasks that prefer the loop.
public struct LoopBound<Value>: @unchecked Sendable {
    // @unchecked: `stored` is reached on the loop's thread alone, which `value` and `init` check.
    private let stored: Value
    /// The loop it belongs to.
    public let loop: EventLoop

    /// Binds a value to the loop the caller is on.
    public init(_ value: Value, to loop: EventLoop) {
        loop.checkIsolated()
        stored = value
        self.loop = loop
    }

    /// The value; to be asked for on the loop.
    public var value: Value {
        loop.checkIsolated()
        return stored
    }
}
