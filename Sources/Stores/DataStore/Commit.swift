public import Records
public import Shared

/// What one durable batch changed, told once, in commit order, before any caller goes on.
public struct Commit: Sendable {
    /// New versions and deletions of records.
    public let records: [RecordEvent]
    /// What else changed.
    public let events: [StoreEvent]
    /// The access version after the batch.
    public let accessVersion: Int

    /// Told on the thread that writes: the observer must be quick and never wait.
    public typealias Observer = @Sendable (Commit) -> Void

    /// Runs what it is given: telling the observer and the callers of one batch, so that whoever they wake can be
    /// woken once for all of them. On the thread that writes.
    public typealias Gathering = @Sendable (_ tell: () -> Void) -> Void

    /// What a batch changed.
    public init(records: [RecordEvent], events: [StoreEvent], accessVersion: Int) {
        self.records = records
        self.events = events
        self.accessVersion = accessVersion
    }
}
