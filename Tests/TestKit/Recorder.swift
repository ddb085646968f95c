import Synchronization

/// Keeps what it is told, in order, from any thread.
public final class Recorder<Item: Sendable>: Sendable {
    private let kept = Mutex<[Item]>([])

    /// An empty one.
    public init() {}

    /// Keeps one more.
    public func record(_ item: Item) { kept.withLock { $0.append(item) } }

    /// What was kept so far.
    public var items: [Item] { kept.withLock { $0 } }
}
