public import GradingKit
public import Shared

/// A change of many records that one person ordered as one act: moving them to a new version, releasing what is hidden in
/// them, or computing them by another build of their scheme. It is done in small slices behind the changes that wait, and
/// goes on where it was after a restart.
public struct BulkChangeJob: Sendable, Equatable {
    /// What is done to each record.
    public enum Work: Sendable, Equatable {
        /// It is judged by that version of the program from now on.
        case move(to: Version)
        /// What is hidden is shown: below the entries that a path of names leads to, or all of it for no path.
        case release(path: [String])
        /// It is computed by that build of its scheme, if another one has computed it.
        case recompute(by: SchemeExecutable)
    }

    /// How it stands.
    public enum State: String, Sendable {
        /// It begins on a later day.
        case waiting
        /// It is under way.
        case running
        /// Every record was looked at.
        case done
        /// It was given up before its end, because what was ordered cannot be done any more.
        case stopped
    }

    /// Names it among all.
    public let id: String
    /// The tenant.
    public let institution: InstitutionID
    /// Whose records.
    public let program: ProgramID
    /// What is done.
    public let work: Work
    /// Who ordered it.
    public let account: AccountID
    /// From where.
    public let source: String
    /// When it was ordered.
    public let orderedAt: Timestamp
    /// The day from which it may begin.
    public let dueOn: CalendarDay
    /// How far it is.
    public var progress: BulkChangeProgress

    /// A job.
    public init(
        id: String, institution: InstitutionID, program: ProgramID, work: Work, account: AccountID, source: String,
        orderedAt: Timestamp, dueOn: CalendarDay, progress: BulkChangeProgress = BulkChangeProgress()
    ) {
        self.id = id
        self.institution = institution
        self.program = program
        self.work = work
        self.account = account
        self.source = source
        self.orderedAt = orderedAt
        self.dueOn = dueOn
        self.progress = progress
    }

    /// The move of a program's records to a version: there is one at most for each.
    public init(
        moving program: ProgramID, of institution: InstitutionID, to version: Version, by account: AccountID,
        from source: String, at moment: Timestamp, dueOn day: CalendarDay
    ) {
        self.init(
            id: "\(program).\(version)", institution: institution, program: program, work: .move(to: version),
            account: account, source: source, orderedAt: moment, dueOn: day)
    }

    /// How it stands on a day.
    public func state(on day: CalendarDay) -> State {
        if progress.finishedAt != nil { return progress.isStopped ? .stopped : .done }
        return day < dueOn ? .waiting : .running
    }
}

/// How far a bulk change is.
public struct BulkChangeProgress: Sendable, Equatable {
    /// The last record that was looked at; `nil` before the first.
    public var cursor: RecordID?
    /// Records looked at.
    public var done = 0
    /// Records the program had when the change was ordered.
    public var total = 0
    /// Records that changed.
    public var changed = 0
    /// Records that the rules refused; they stay as they were.
    public var refused = 0
    /// When the last record was looked at, or the change was given up.
    public var finishedAt: Timestamp?
    /// Whether it was given up.
    public var isStopped = false

    /// Nothing was done yet.
    public init() {}
}

/// Where changes of many records are kept. Publishing stores a move in the same transaction as the version.
public protocol BulkChangeStore: LeaseStore {
    /// Stores a job with its audit row and the answer that tells of it; counts the records there are. Another answer
    /// under the key is `StoreError.taken(field: "key")`.
    func insert(
        _ job: BulkChangeJob, audit: AuditEntry, keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob
    /// Keeps how far the job under a lease is.
    ///
    /// - Throws: ``LeaseLost``.
    func advance(to progress: BulkChangeProgress, under lease: WorkLease) async throws
    /// A job; `nil` when there is none.
    func bulkChange(_ id: String) async throws -> BulkChangeJob?
    /// The latest 100 jobs of a program, newest first.
    func bulkChanges(of program: ProgramID) async throws -> [BulkChangeJob]
}
