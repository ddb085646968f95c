public import Records
public import SQLite
public import Storage

/// The store as one change sees it: the truth, and the means to alter it.
///
/// It is lent to a closure on the writer's thread. The change shares its transaction with its neighbours in the
/// batch, sees what those before it did, and if it throws leaves nothing behind: no row, no event, no new access version.
public final class WriteTransaction {
    /// The writer's connection. Transactions and savepoints on it are the writer's business.
    public let connection: Connection
    /// The store's epoch.
    public let epoch: Epoch
    /// The access version, with what earlier changes of the same batch made of it.
    public private(set) var accessVersion: Int

    let chain: AuditChain
    var keysSincePurge = IdempotencyTable.purgeInterval
    private var records: [RecordEvent] = []
    private var events: [StoreEvent] = []

    init(connection: Connection, identity: StoreIdentity, chain: AuditChain) {
        self.connection = connection
        epoch = identity.epoch
        accessVersion = identity.accessVersion
        self.chain = chain
    }

    /// Makes every permit given so far void, for changes of a role, membership, session or program setting.
    public func bumpAccess() throws {
        try connection.run("UPDATE store SET access_version = access_version + 1")
        accessVersion += 1
    }

    /// Tells the observer after the commit.
    public func post(_ event: StoreEvent) { events.append(event) }

    /// Tells the observer of a record after the commit.
    public func post(_ event: RecordEvent) { records.append(event) }

    /// Where a change begins, to come back to when it fails.
    struct Mark {
        let records: Int
        let events: Int
        let accessVersion: Int
    }

    var mark: Mark { Mark(records: records.count, events: events.count, accessVersion: accessVersion) }

    func rewind(to mark: Mark) {
        records.removeLast(records.count - mark.records)
        events.removeLast(events.count - mark.events)
        accessVersion = mark.accessVersion
    }

    /// What the batch did, to be told now that it is durable.
    func takeCommit() -> Commit {
        defer {
            records = []
            events = []
        }
        return Commit(records: records, events: events, accessVersion: accessVersion)
    }
}
