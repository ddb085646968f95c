import DataStore
import Database
import PostgreSQL
import RelationalStore
import Shared
import Threads

/// Takes changes from the queue and commits them in groups.
///
/// A group is one transaction of up to 64 changes. Its first statements lock what the changes have to themselves
/// (``WriteReach``), so that groups of different nodes that touch the same run one after the other, and each sees what was
/// committed before it, on whatever node. Changes of records take two round trips together: one takes the locks and reads
/// what all of them rest on, one writes and commits. States of a group, with what callers learn:
///
///     open ──change throws──────▶ open          the group runs again alone and with savepoints, unless it has not
///                                               written yet
///     open ──COMMIT done────────▶ committed     notifies the observer, then every caller
///     open ──no room────────────▶ rolled back   all fail with `full`; the next group is tried
///     open ──connection ended───▶ rolled back   all fail with `unavailable`; the next group connects again
///     COMMIT ──no answer────────▶ asked         the mark of the group says whether it is durable
final class PostgresWriter {
    /// What a writer and its owner agree on.
    struct Setting: Sendable {
        let options: PostgresStoreOptions
        /// The name under which the writer leaves its marks.
        let name: String
        let isGuest: Bool
        let epoch: Epoch
        let news: AccessNews
        let changes: RecentChanges
        let observer: Commit.Observer
        let gathering: Commit.Gathering
        /// Called when the store cannot be served any more, with the reason.
        let ended: @Sendable (String) -> Void
        /// Called when the log of the nodes has grown.
        let logged: @Sendable () -> Void
    }

    private let setting: Setting
    private let queue: BlockingQueue<any WriteJob>
    private let status: WriterStatus
    private let clock = ContinuousClock()
    private var link: Link?
    /// What a group has to tell whose COMMIT had no answer, until a new connection knows whether it is durable. Its
    /// callers were refused.
    private var unsettled: WriteTransaction?
    /// Whether the loss of the connection has been reported.
    private var isLost = false
    private var nextAttempt: ContinuousClock.Instant
    private var groups = 0
    /// Whether the group has written to the log of the nodes.
    private var hasLogged = false
    /// The current group; empty between groups, though its memory is kept.
    private var group: [any WriteJob] = []

    /// A connection, with the transactions on it.
    private struct Link {
        let connection: PostgreSQLConnection
        let transaction: WriteTransaction
    }

    /// Creates a writer with its first connection.
    init(
        _ setting: Setting, connection: PostgreSQLConnection, queue: BlockingQueue<any WriteJob>, status: WriterStatus
    ) {
        self.setting = setting
        self.queue = queue
        self.status = status
        nextAttempt = clock.now
        link = Self.link(connection, setting)
    }

    private static func link(_ connection: PostgreSQLConnection, _ setting: Setting) -> Link {
        // Other programs write to the database too, so records are not kept in memory.
        let transaction = WriteTransaction(
            connection: Connection(connection), epoch: setting.epoch, recent: RecentRecords(capacity: 0),
            changes: setting.changes, news: setting.news)
        return Link(connection: connection, transaction: transaction)
    }

    /// Works until the queue is closed and empty, then removes the writer's mark.
    func run() {
        while let job = queue.next() {
            if case .stopped(let reason) = status.condition {
                job.end(refusedFor: StoreError.unavailable(reason))
            } else {
                commit(groupFrom: job)
            }
        }
        guard let connection = link?.connection else { return }
        // What stays is removed when a server starts alone.
        try? NodeLog(Connection(connection)).leave(setting.name)
        // The server lets go of it later otherwise, when it has noticed the end of the connection.
        if !setting.isGuest { _ = try? connection.first("SELECT pg_advisory_unlock_all()") { _ in true } }
    }

    /// A change was refused after it had written something or reaches further than it said, or the database refused a
    /// statement.
    private struct HalfWritten: Error {}

    private func commit(groupFrom first: any WriteJob) {
        group.append(first)
        while group.count < setting.options.groupChanges, let next = queue.nextIfAny() { group.append(next) }
        let start = ContinuousClock.now
        do {
            let link = try begun()
            let mark = link.transaction.mark
            do {
                try perform(over: link, since: mark)
            } catch {
                if unsettled == nil { rollBack(link, to: mark) }
                throw error
            }
            status.commits.note(group.count, since: start)
            setting.gathering { tell(link.transaction) }
        } catch {
            let failure = abandon(because: error)
            for job in group { job.end(refusedFor: failure) }
        }
        group.removeAll(keepingCapacity: true)
    }

    // MARK: - The connection

    /// Begins a group. The connection may turn out to have ended since the last group; then it is made again.
    private func begun() throws -> Link {
        let link = try connected()
        let reach = WriteReach.joining(group.lazy.map(\.reach))
        do {
            try begin(link, within: reach)
            return link
        } catch {
            link.connection.rollBack()
            guard !link.connection.isUsable else { throw error }
        }
        let again = try connected()
        try begin(again, within: reach)
        return again
    }

    /// Returns the connection, which is made again if it has ended.
    private func connected() throws -> Link {
        if let link, link.connection.isUsable { return link }
        link = nil
        guard clock.now >= nextAttempt else {
            throw StoreError.unavailable(status.reason ?? "the database cannot be reached")
        }
        nextAttempt = clock.now + setting.options.reconnectDelay
        let connection = try setting.options.connectToWrite()
        if !setting.isGuest { try resumeServing(over: connection) }
        if let transaction = unsettled {
            let isDurable = try isCommitted(over: connection)
            unsettled = nil
            if isDurable { setting.gathering { transaction.tell(setting.observer) } }
        }
        let made = Self.link(connection, setting)
        link = made
        return made
    }

    /// Takes the right to serve again. The database may have been migrated or replaced meanwhile.
    private func resumeServing(over connection: PostgreSQLConnection) throws {
        guard try connection.tryLock(.serving, .shared) else { throw StoreError.unavailable(Self.inUse) }
        do {
            try Migrator().checkIsServable(Connection(connection))
        } catch StoreError.incompatible(let why) {
            try stop(because: why)
        }
        guard try !DatabaseHistory.isServed(as: setting.epoch, on: Connection(connection)) else { return }
        try stop(because: DatabaseHistory.isAnother)
    }

    private func stop(because reason: String) throws {
        setting.ended(reason)
        throw StoreError.unavailable(reason)
    }

    /// Why a program does not get the store for itself.
    static let otherServer = "another server uses the database"
    /// Why a server does not start, or does not write.
    static let inUse = "another program migrates or copies the database"
    private static let markQuery = "SELECT groups FROM writers WHERE name = ?"

    // MARK: - A group

    /// Makes the changes of a group and commits them.
    private func perform(over link: Link, since mark: WriteTransaction.Mark) throws {
        do {
            for job in group { try attempt(job, over: link) }
            try commit(link, since: mark)
        } catch is HalfWritten {
            rollBack(link, to: mark)
            try begin(link, within: .everything)
            for job in group { try attemptWithSavepoint(job, over: link) }
            try commit(link, since: mark)
        }
    }

    /// Takes the locks, and in the same round trip reads what the changes rest on.
    private func begin(_ link: Link, within reach: WriteReach) throws {
        try link.connection.begin(.readCommitted)
        let grounds = group.compactMap(\.ground)
        try link.connection.lockUntilEnd(reach)
        if grounds.isEmpty { try link.connection.flush() }
        try link.transaction.begin(within: reach)
        try link.transaction.foresee(grounds)
    }

    private func rollBack(_ link: Link, to mark: WriteTransaction.Mark) {
        link.connection.rollBack()
        link.transaction.rewind(to: mark)
    }

    /// Tries one change. Throws what ends the whole group, and `HalfWritten`.
    private func attempt(_ job: any WriteJob, over link: Link) throws {
        let (mark, writes) = (link.transaction.mark, link.connection.writes)
        do {
            try job.perform(in: link.transaction)
            forgetForeseen(after: job, over: link, since: writes)
        } catch {
            try checkConnection(link, after: error)
            // An error of the database may be that of a statement that an earlier change has queued.
            guard link.connection.writes == writes, link.connection.isInTransaction, !(error is PostgreSQLError),
                !(error is ReachExceeded)
            else { throw HalfWritten() }
            link.transaction.rewind(to: mark)
            job.refuse(StoreError.translating(error))
        }
    }

    /// Tries one change under a savepoint, and rolls it back if it is refused. Throws only what ends the whole group.
    private func attemptWithSavepoint(_ job: any WriteJob, over link: Link) throws {
        let (mark, writes) = (link.transaction.mark, link.connection.writes)
        do {
            try link.connection.withSavepoint { try job.perform(in: link.transaction) }
            forgetForeseen(after: job, over: link, since: writes)
        } catch {
            try checkConnection(link, after: error)
            guard link.connection.isInTransaction, (error as? PostgreSQLError)?.kind != .diskFull else { throw error }
            link.transaction.rewind(to: mark)
            job.refuse(StoreError.translating(error))
        }
    }

    /// A change that has not said what it rests on may have written what another one rests on.
    private func forgetForeseen(after job: any WriteJob, over link: Link, since writes: Int) {
        if job.ground == nil, link.connection.writes != writes { link.transaction.forgetForeseen() }
    }

    private func checkConnection(_ link: Link, after error: any Error) throws {
        if !link.connection.isUsable { throw error }
    }

    /// Writes what belongs to the group as a whole, and commits it together with everything that is queued.
    private func commit(_ link: Link, since mark: WriteTransaction.Mark) throws {
        if setting.isGuest { try link.transaction.refuseRecords() }
        do {
            hasLogged = try link.transaction.log(since: mark, by: setting.name)
        } catch is ReachExceeded {
            throw HalfWritten()
        }
        groups += 1
        try link.connection.run(
            """
            INSERT INTO writers (name, groups) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET groups = excluded.groups
            """, .text(setting.name), .integer(groups))
        link.transaction.isAboutToCommit()
        do throws(PostgreSQLError) {
            try link.connection.commit()
        } catch {
            if error.wasQueued, !error.endsConnection, error.kind != .diskFull { throw HalfWritten() }
            guard error.isOutcomeUnknown else { throw error }
            unsettled = link.transaction
            let isDurable = try isCommitted(over: try setting.options.connect())
            unsettled = nil
            guard isDurable else { throw error }
        }
    }

    /// Returns whether the group is durable whose COMMIT had no answer, as the database says on a new connection.
    private func isCommitted(over connection: PostgreSQLConnection) throws -> Bool {
        try connection.withTransaction(.readCommitted) {
            // The old transaction has at least a share of the lock until it has ended one way or the other.
            try connection.lockUntilEnd(AdvisoryLock.writing)
            return try connection.first(Self.markQuery, .text(setting.name)) { $0.integer(0) } == groups
        }
    }

    // MARK: - The end of a group

    private func tell(_ transaction: WriteTransaction) {
        if status.condition != .writable { status.condition = .writable }
        if isLost {
            isLost = false
            setting.options.report(.back)
        }
        transaction.tell(setting.observer)
        if hasLogged { setting.logged() }
        for job in group { job.end() }
    }

    /// Decides what a failed group means for the next one; returns the error for its callers.
    private func abandon(because error: any Error) -> StoreError {
        let failure = setting.options.explaining(error) as? StoreError ?? .unavailable("\(error)")
        let reason =
            switch failure {
            case .unavailable(let reason), .incompatible(let reason): reason
            default: "\(error)"
            }
        if failure == .full {
            status.condition = .full
        } else if link?.connection.isUsable != true {
            if !status.isStopped { status.condition = .unreachable(reason) }
            if !isLost {
                isLost = true
                setting.options.report(.lost(status.reason ?? reason))
            }
        }
        if case .incompatible = failure { return .unavailable(reason) }
        return failure
    }
}
