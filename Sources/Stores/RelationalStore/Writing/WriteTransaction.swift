package import DataStore
public import Database
public import Records
public import Shared

/// The store as one change sees it, with the means to alter it.
///
/// It is lent to a closure on the writer's thread. The change shares its transaction with the others in its batch and
/// sees what those before it did. If it throws, it leaves nothing behind: no row, no event, no raised access version.
public final class WriteTransaction {
    /// The writer's connection. Only the writer manages transactions and savepoints on it.
    public let connection: Connection
    /// The store's epoch.
    public let epoch: Epoch

    /// What no other change can touch before the batch is committed.
    private(set) var reach = WriteReach.everything
    private var access = AccessVersionTable()
    private let news: AccessNews
    /// Subjects whose displayed data this batch changed, in order.
    private var altered: [AccessSubject] = []
    var keysSincePurge = IdempotencyTable.purgeInterval
    var answerTally = AnswerTally()
    private let recent: RecentRecords
    private let recentChanges: RecentChanges
    private var records: [RecordEvent] = []
    /// The records that the batch changed, in order, with their new rows; `nil` for a record that was deleted or must
    /// be read again.
    private var changed: [(record: RecordID, row: RecordRow?)] = []
    /// The changes of records that followers of the log are told of without reading it, in order.
    private var held: [(change: HeldChange, standing: [UInt8])] = []
    private var events: [StoreEvent] = []
    private var queuesMails = false
    private var foresight = Foresight()

    package init(
        connection: Connection, epoch: Epoch, recent: RecentRecords, changes: RecentChanges, news: AccessNews
    ) {
        self.connection = connection
        self.recent = recent
        recentChanges = changes
        self.news = news
        self.epoch = epoch
    }

    /// Raises the access version of a subject, which voids the permits that rest on it. Call it for changes of a role,
    /// membership, session or program setting.
    public func raiseAccess(of subject: AccessSubject) throws {
        try holdEverything()
        try access.raise(subject, on: connection)
        altered.append(subject)
    }

    /// Has cached data of a subject read again after the commit.
    func note(_ subject: AccessSubject) { altered.append(subject) }

    /// Returns the access version of a subject, including earlier changes of the same batch.
    func accessVersion(of subject: AccessSubject) throws -> Int { try access.version(of: subject, on: connection) }

    /// Begins a batch that has a part of the store to itself.
    package func begin(within reach: WriteReach = .everything) throws {
        self.reach = reach
        foresight = Foresight()
        try access.begin(on: connection)
    }

    /// Reads at once what the changes of the batch rest on; for PostgreSQL, where each question is a round trip.
    package func foresee(_ grounds: [WriteGround]) throws {
        foresight = try Foresight(grounds, epoch: epoch, on: connection)
        access.assume(foresight.access)
    }

    /// Forgets what was foreseen: a change that had not said what it rests on has written something.
    package func forgetForeseen() {
        foresight.forget()
        access.forget()
    }

    /// Returns what lies under a key; `.none` if it must be asked for.
    func foreseenAnswer(under key: IdempotencyKey, of account: AccountID) -> AnswerRow?? {
        foresight.answers[Foresight.Place(account: account, key: key.key)]
    }

    /// Notes that another answer lies under a key from now on.
    func noteAnswer(under key: IdempotencyKey, of account: AccountID) {
        foresight.forget(answerOf: Foresight.Place(account: account, key: key.key))
    }

    /// Returns the number of the next change of a record; `nil` if the file numbers it.
    func nextChange() throws -> Int? {
        guard case .postgreSQL = connection.driver else { return nil }
        if let reserved = foresight.takeNumber() { return reserved }
        return try connection.first("SELECT nextval(pg_get_serial_sequence('changes', 'seq'))") { $0.integer(0) }
    }

    /// Reports an event to the observer after the commit.
    public func post(_ event: StoreEvent) { events.append(event) }

    /// Reports an event about a record to the observer after the commit.
    public func post(_ event: RecordEvent) { records.append(event) }

    /// Reports after the commit that mails were queued, also if the change that queued them fails.
    func noteMail() { queuesMails = true }

    /// Notes a record as just written; `nil` for one that was deleted or must be read again.
    func note(_ row: RecordRow?, of record: RecordID) { changed.append((record, row)) }

    /// Notes a record as just written by a change of its trail.
    func note(_ row: RecordRow, changedBy appended: AppendedChange) {
        note(row, of: row.snapshot.head.id)
        guard recentChanges.isFollowed else { return }
        held.append((HeldChange(appended, row.snapshot, row.end), row.snapshot.content(.released).standing))
    }

    /// Returns a record as this change sees it; `nil` if it must be read from the file.
    func remembered(_ record: RecordID) -> RecordRow? {
        guard let change = changed.last(where: { $0.record == record }) else {
            return foresight.records[record] ?? recent[record]
        }
        return change.row
    }

    /// Invalidates the cached records that the commit changes.
    package func isAboutToCommit() {
        if !changed.isEmpty { recent.commitBegins(of: changed.lazy.map(\.record)) }
    }

    /// The state at the beginning of a change, to return to if the change fails.
    package struct Mark {
        let records: Int
        let events: Int
        let changed: Int
        let held: Int
        let altered: Int
    }

    package var mark: Mark {
        Mark(
            records: records.count, events: events.count, changed: changed.count, held: held.count,
            altered: altered.count)
    }

    /// Whether the batch has changed records.
    var hasRecordEvents: Bool { !records.isEmpty }

    /// Returns the notices for changes since `mark`.
    func notices(since mark: Mark) -> [Notice] {
        altered.dropFirst(mark.altered).map { .altered($0) } + events.dropFirst(mark.events).map { .event($0) }
    }

    package func rewind(to mark: Mark) {
        records.removeLast(records.count - mark.records)
        events.removeLast(events.count - mark.events)
        changed.removeLast(changed.count - mark.changed)
        held.removeLast(held.count - mark.held)
        if altered.count > mark.altered { access.forget() }
        altered.removeLast(altered.count - mark.altered)
    }

    /// Reports what the batch did, now that it is durable, and prepares for the next batch.
    package func tell(_ observer: Commit.Observer) {
        if !changed.isEmpty { recent.commitEnds(with: changed) }
        if changed.contains(where: { $0.row == nil }) {
            recentChanges.clear()
        } else if !held.isEmpty {
            recentChanges.add(held)
        }
        for subject in altered { news.tell(of: subject) }
        if !records.isEmpty || !events.isEmpty || queuesMails {
            observer(Commit(records: records, events: events, queuesMails: queuesMails))
        }
        queuesMails = false
        // The event loops still read this array; reserve the same capacity, because batches tend to have similar
        // lengths.
        let count = records.count
        records = []
        records.reserveCapacity(count)
        // The other buffers are reused.
        changed.removeAll(keepingCapacity: true)
        held.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        altered.removeAll(keepingCapacity: true)
    }
}
