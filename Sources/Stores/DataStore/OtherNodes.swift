public import Shared

/// What a store tells this node of the other nodes over the same database.
public struct OtherNodes: Sendable {
    /// Called with what other nodes have changed. It is never more than a hint.
    public let heard: @Sendable ([WakeUp]) -> Void
    /// Called when changes of permissions may have been missed, so that all are asked about again.
    public let lostTrack: @Sendable () -> Void

    /// Creates a listener; by default it does nothing.
    public init(
        heard: @escaping @Sendable ([WakeUp]) -> Void = { _ in }, lostTrack: @escaping @Sendable () -> Void = {}
    ) {
        self.heard = heard
        self.lostTrack = lostTrack
    }
}
