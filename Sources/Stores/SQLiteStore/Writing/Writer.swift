import SQLite
import Shared
import Synchronization

/// The one that writes: takes changes from the queue, commits them in batches, and runs every checkpoint.
///
/// In a program that writes beside the server it leaves word of each batch for the server, which alone keeps the log.
///
/// A batch is one transaction, closed at 64 changes or 4 ms of work. States of a batch, with what callers learn:
///
///     open ──change throws──▶ open            its savepoint is rolled back, it alone fails
///     open ──COMMIT done────▶ committed       the observer is told, then every caller
///     open ──no room────────▶ rolled back     all fail with `full`; the next batch is tried
///     open ──I/O error──────▶ stopped         all fail with `unavailable`; nothing is written any more
///
/// After a failed fsync the kernel may have dropped the pages it could not write and call the next fsync a
/// success, so a commit that failed is never tried again.
final class Writer {
    struct Limits: Sendable {
        var changes = 64
        var work = Duration.milliseconds(4)
    }

    private let connection: Connection
    private let transaction: WriteTransaction
    private let queue: JobQueue<WriteJob>
    private let status: WriterStatus
    private let limits: Limits
    private let isGuest: Bool
    private let observer: Commit.Observer
    private let gathering: Commit.Gathering
    private let clock = ContinuousClock()
    private var log = CheckpointPlan()

    init(
        transaction: WriteTransaction, queue: JobQueue<WriteJob>, status: WriterStatus, limits: Limits, isGuest: Bool,
        observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) {
        connection = transaction.connection
        self.transaction = transaction
        self.queue = queue
        self.status = status
        self.limits = limits
        self.isGuest = isGuest
        self.observer = observer
        self.gathering = gathering
    }

    /// Works until the queue is closed and empty, then leaves the database without a log.
    func run() {
        while let job = queue.next() {
            if case .stopped(let reason) = status.condition {
                job.fail(StoreError.unavailable(reason))
            } else {
                commit(batchFrom: job)
                checkpointIfDue()
            }
        }
        if case .stopped = status.condition { return }
        if isGuest { return }
        // Another program may be reading the file; its log then stays, and is found at the next start.
        _ = try? connection.checkpoint(.truncate)
    }

    private struct Attempt {
        let job: WriteJob
        let result: Result<@Sendable () -> Void, any Error>
    }

    private func commit(batchFrom first: WriteJob) {
        let mark = transaction.mark
        var pending: WriteJob? = first
        var attempts: [Attempt] = []
        do {
            try connection.begin(.immediate)
            let end = clock.now + limits.work
            while let job = pending {
                attempts.append(Attempt(job: job, result: try attempt(job)))
                pending = nil
                if attempts.count < limits.changes, clock.now < end { pending = queue.nextIfAny() }
            }
            if isGuest { try transaction.leaveNotices(since: mark) }
            try connection.commit()
        } catch {
            connection.rollBack()
            transaction.rewind(to: mark)
            let failure = abandon(because: error)
            for attempt in attempts { attempt.job.fail(failure) }
            pending?.fail(failure)
            return
        }
        gathering { tell(attempts) }
    }

    /// Tries one change. Throws only what the whole batch dies of.
    private func attempt(_ job: WriteJob) throws -> Result<@Sendable () -> Void, any Error> {
        let mark = transaction.mark
        do {
            return .success(try connection.withSavepoint { try job.perform(transaction) })
        } catch {
            if !connection.isInTransaction || (error as? SQLiteError)?.endsBatch == true { throw error }
            transaction.rewind(to: mark)
            return .failure(StoreError.translating(error))
        }
    }

    private func tell(_ attempts: [Attempt]) {
        let commit = transaction.takeCommit()
        status.accessVersion.store(commit.accessVersion, ordering: .releasing)
        if status.condition == .full { status.condition = .writable }
        if !commit.records.isEmpty || !commit.events.isEmpty { observer(commit) }
        for attempt in attempts {
            switch attempt.result {
            case .success(let resume): resume()
            case .failure(let error): attempt.job.fail(error)
            }
        }
    }

    /// Decides what a lost batch means for the next one, and for its callers.
    private func abandon(because error: any Error) -> StoreError {
        let failure = StoreError.translating(error) as? StoreError ?? .unavailable("\(error)")
        if failure == .full {
            status.condition = .full
        } else if (error as? SQLiteError)?.isPassing != true {
            status.condition = .stopped("writing has stopped: \(error)")
        }
        if case .incompatible(let reason) = failure { return .unavailable(reason) }
        return failure
    }

    private func checkpointIfDue() {
        // The log belongs to the server, if this program only writes beside it.
        if case .stopped = status.condition { return }
        if isGuest { return }
        log.note(pages: connection.takePagesWritten())
        guard let kind = log.due(isIdle: queue.count == 0) else { return }
        do {
            log.done(try connection.checkpoint(kind))
        } catch {
            log.refused()
            if error.code != .busy { _ = abandon(because: error) }
        }
    }
}

extension SQLiteError {
    /// Whether the transaction in which it happened cannot go on.
    fileprivate var endsBatch: Bool {
        [Code.full, .ioError, .corrupt, .notADatabase, .noMemory, .readOnly].contains(code)
    }

    /// Whether the next batch may well succeed: another program held the lock, or memory ran short. A constraint
    /// that only the commit checks is the fault of one change, not of the file.
    fileprivate var isPassing: Bool { [Code.busy, .noMemory, .constraint].contains(code) }
}
