import DataStore
import RelationalStore
import SQLite
import Shared
import Synchronization
import Threads

/// The only writer: takes changes from the queue, commits them in batches, and runs every checkpoint.
///
/// In a program beside the server it stores notices of each batch for the server, which alone runs checkpoints.
///
/// A batch is one transaction, closed at 64 changes or 4 ms of work. States of a batch, with what callers learn:
///
///     open ──change throws──▶ open            its writes are rolled back, and only it fails
///     open ──COMMIT done────▶ committed       notifies the observer, then every caller
///     open ──no room────────▶ rolled back     all fail with `full`; the next batch is tried
///     open ──I/O error──────▶ stopped         all fail with `unavailable`; writing stops for good
///
/// After a failed fsync the kernel may have dropped the pages it could not write and call the next fsync a
/// success, so a commit that failed is never tried again.
final class Writer {
    struct Limits: Sendable {
        var changes = 64
        var work = Duration.milliseconds(4)
    }

    private let connection: SQLiteConnection
    private let transaction: WriteTransaction
    private let queue: BlockingQueue<any WriteJob>
    private let status: WriterStatus
    private let limits: Limits
    private let isGuest: Bool
    private let observer: Commit.Observer
    private let gathering: Commit.Gathering
    private let clock = ContinuousClock()
    private var log = CheckpointPlan()
    /// The current batch; empty between batches, though its memory is kept.
    private var batch: [any WriteJob] = []

    init(
        connection: SQLiteConnection, transaction: WriteTransaction, queue: BlockingQueue<any WriteJob>,
        status: WriterStatus, limits: Limits, isGuest: Bool, observer: @escaping Commit.Observer,
        gathering: @escaping Commit.Gathering
    ) {
        self.connection = connection
        self.transaction = transaction
        self.queue = queue
        self.status = status
        self.limits = limits
        self.isGuest = isGuest
        self.observer = observer
        self.gathering = gathering
    }

    /// Works until the queue is closed and empty, then checkpoints the database so that no log remains.
    func run() {
        while let job = queue.next() {
            if case .stopped(let reason) = status.condition {
                job.end(refusedFor: StoreError.unavailable(reason))
            } else {
                commit(batchFrom: job)
                checkpointIfDue()
            }
        }
        if case .stopped = status.condition { return }
        if isGuest { return }
        // Another program may be reading the file; the log then stays, and the next start reads it.
        _ = try? connection.checkpoint(.truncate)
    }

    /// A change was refused after it had written something.
    private struct HalfWritten: Error {}

    private func commit(batchFrom first: any WriteJob) {
        let (mark, start) = (transaction.mark, clock.now)
        batch.append(first)
        do {
            try perform(batchFrom: first, since: mark)
            status.commits.note(batch.count, since: start)
            gathering { tell() }
        } catch {
            rollBack(to: mark)
            let failure = abandon(because: error)
            for job in batch { job.end(refusedFor: failure) }
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// Makes a batch of changes and commits it. Takes more changes than the first while more are waiting.
    ///
    /// A refused change has usually written nothing yet. Changes therefore have no savepoints, which would cost a copy
    /// of every page written. If one is refused after writing, the whole batch runs again with savepoints.
    private func perform(batchFrom first: any WriteJob, since mark: WriteTransaction.Mark) throws {
        do {
            try begin()
            let end = clock.now + limits.work
            try attempt(first)
            while batch.count < limits.changes, clock.now < end, let next = queue.nextIfAny() {
                batch.append(next)
                try attempt(next)
            }
        } catch is HalfWritten {
            rollBack(to: mark)
            try begin()
            for job in batch { try attemptWithSavepoint(job) }
        }
        if isGuest { try transaction.leaveNotices(since: mark) }
        transaction.isAboutToCommit()
        try connection.commit()
    }

    private func begin() throws {
        try connection.begin(.immediate)
        try transaction.begin()
    }

    private func rollBack(to mark: WriteTransaction.Mark) {
        connection.rollBack()
        transaction.rewind(to: mark)
    }

    /// Tries one change. Throws errors that end the whole batch, and `HalfWritten`.
    private func attempt(_ job: any WriteJob) throws {
        let (mark, writes) = (transaction.mark, connection.writes)
        do {
            try job.perform(in: transaction)
        } catch {
            job.refuse(try refusal(for: error, since: mark))
            guard connection.writes == writes else { throw HalfWritten() }
        }
    }

    /// Tries one change under a savepoint, and rolls it back if it is refused. Throws only errors that end the whole
    /// batch.
    private func attemptWithSavepoint(_ job: any WriteJob) throws {
        let mark = transaction.mark
        do {
            try connection.withSavepoint { try job.perform(in: transaction) }
        } catch {
            job.refuse(try refusal(for: error, since: mark))
        }
    }

    private func refusal(for error: any Error, since mark: WriteTransaction.Mark) throws -> any Error {
        if !connection.isInTransaction || (error as? SQLiteError)?.endsBatch == true { throw error }
        transaction.rewind(to: mark)
        return StoreError.translating(error)
    }

    private func tell() {
        // A change that wrote nothing, such as one that found everything done, says nothing of the room.
        if status.condition == .full, connection.pagesWritten > 0 { status.condition = .writable }
        transaction.tell(observer)
        for job in batch { job.end() }
    }

    /// Decides what a failed batch means for the next one; returns the error for its callers.
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
        // In a program beside the server, the log is the server's to checkpoint.
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
    /// Whether the transaction cannot continue after this error.
    fileprivate var endsBatch: Bool {
        [Code.full, .ioError, .corrupt, .notADatabase, .noMemory, .readOnly].contains(code)
    }

    /// Whether the next batch may succeed: another program held the lock, or memory was short. A constraint that is
    /// checked only at the commit is the fault of one change, not of the file.
    fileprivate var isPassing: Bool { [Code.busy, .noMemory, .constraint].contains(code) }
}
