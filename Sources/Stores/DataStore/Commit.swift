public import Records
public import Shared

/// What one durable batch changed, told once, in commit order, before any caller goes on.
public struct Commit: Sendable {
    /// New versions and deletions of records.
    public let records: [RecordEvent]
    /// What else changed.
    public let events: [StoreEvent]

    /// Told on the thread that writes: the observer must be quick and never wait.
    public typealias Observer = @Sendable (Commit) -> Void

    /// Runs what it is given: telling the observer and the callers of one batch, so that whoever they wake can be
    /// woken once for all of them. On the thread that writes.
    public typealias Gathering = @Sendable (_ tell: () -> Void) -> Void

    /// What a batch changed.
    public init(records: [RecordEvent], events: [StoreEvent]) {
        self.records = records
        self.events = events
    }
}
