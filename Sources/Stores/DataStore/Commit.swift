public import Records
public import Shared

/// The changes of one durable batch. Each commit is reported once, in commit order, before its callers continue.
public struct Commit: Sendable {
    /// New versions and deletions of records.
    public let records: [RecordEvent]
    /// The other changes.
    public let events: [StoreEvent]
    /// Whether mails were queued.
    public let queuesMails: Bool

    /// A function called on the writer's thread; it must be quick and never block.
    public typealias Observer = @Sendable (Commit) -> Void

    /// A function that runs the given closure, which notifies the observer and the callers of one batch, so that all
    /// the threads they wake can be woken at once. Called on the writer's thread.
    public typealias Gathering = @Sendable (_ tell: () -> Void) -> Void

    /// Creates a commit.
    public init(records: [RecordEvent], events: [StoreEvent], queuesMails: Bool = false) {
        self.records = records
        self.events = events
        self.queuesMails = queuesMails
    }
}
