import DataStore
public import Records
public import SQLite
public import Shared

/// The store as one change sees it: the truth, and the means to alter it.
///
/// It is lent to a closure on the writer's thread. The change shares its transaction with its neighbours in the
/// batch, sees what those before it did, and if it throws leaves nothing behind: no row, no event, no raised access version.
public final class WriteTransaction {
    /// The writer's connection. Transactions and savepoints on it are the writer's business.
    public let connection: Connection
    /// The store's epoch.
    public let epoch: Epoch

    private var access = AccessVersionTable()
    private let news: AccessNews
    /// Subjects whose displayed data this batch changed, in order.
    private var altered: [AccessSubject] = []
    var keysSincePurge = IdempotencyTable.purgeInterval
    private let recent: RecentRecords
    private var records: [RecordEvent] = []
    /// The records that the batch has changed, in order, as it leaves them; `nil` for one that is gone, or to be read.
    private var changed: [(record: RecordID, row: RecordRow?)] = []
    private var events: [StoreEvent] = []

    init(connection: Connection, epoch: Epoch, recent: RecentRecords, news: AccessNews) {
        self.connection = connection
        self.recent = recent
        self.news = news
        self.epoch = epoch
    }

    /// Raises the access version of a subject, which voids the permits that rest on it: for changes of a role, membership,
    /// session or program setting.
    public func raiseAccess(of subject: AccessSubject) throws {
        try access.raise(subject, on: connection)
        altered.append(subject)
    }

    /// Has what is remembered of a subject read again after the commit.
    func note(_ subject: AccessSubject) { altered.append(subject) }

    /// The access version of a subject, with what earlier changes of the same batch made of it.
    func accessVersion(of subject: AccessSubject) throws -> Int { try access.version(of: subject, on: connection) }

    /// A batch begins.
    func begin() throws { try access.begin(on: connection) }

    /// Tells the observer after the commit.
    public func post(_ event: StoreEvent) { events.append(event) }

    /// Tells the observer of a record after the commit.
    public func post(_ event: RecordEvent) { records.append(event) }

    /// Remembers a record as it was just written; `nil` for one that is gone, or has to be read again.
    func note(_ row: RecordRow?, of record: RecordID) { changed.append((record, row)) }

    /// A record as it stands for this change; `nil` says nothing.
    func remembered(_ record: RecordID) -> RecordRow? {
        guard let change = changed.last(where: { $0.record == record }) else { return recent[record] }
        return change.row
    }

    /// Invalidates what is cached of everything that the commit changes.
    func isAboutToCommit() {
        if !changed.isEmpty { recent.commitBegins(of: changed.lazy.map(\.record)) }
    }

    /// Where a change begins, to come back to when it fails.
    struct Mark {
        let records: Int
        let events: Int
        let changed: Int
        let altered: Int
    }

    var mark: Mark {
        Mark(records: records.count, events: events.count, changed: changed.count, altered: altered.count)
    }

    /// Whether records were changed since the last commit.
    var hasRecordEvents: Bool { !records.isEmpty }

    /// What is to be told of changes since `mark`.
    func notices(since mark: Mark) -> [Notice] {
        altered.dropFirst(mark.altered).map { .altered($0) } + events.dropFirst(mark.events).map { .event($0) }
    }

    func rewind(to mark: Mark) {
        records.removeLast(records.count - mark.records)
        events.removeLast(events.count - mark.events)
        changed.removeLast(changed.count - mark.changed)
        if altered.count > mark.altered { access.forget() }
        altered.removeLast(altered.count - mark.altered)
    }

    /// Tells what the batch did, now that it is durable, and is ready for the next one.
    func tell(_ observer: Commit.Observer) {
        if !changed.isEmpty { recent.commitEnds(with: changed) }
        for subject in altered { news.tell(of: subject) }
        if !records.isEmpty || !events.isEmpty { observer(Commit(records: records, events: events)) }
        // The loops still read these; the next batch is as a rule as long.
        let count = records.count
        records = []
        records.reserveCapacity(count)
        // The other buffers are used again.
        changed.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        altered.removeAll(keepingCapacity: true)
    }
}
