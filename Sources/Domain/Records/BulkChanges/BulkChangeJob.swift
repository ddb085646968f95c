public import GradingKit
public import Shared

/// A change of many records that one person ordered at once: moving them to a new version of the program, releasing
/// hidden entries, or recomputing them with another build of their scheme. It runs in small slices that yield to
/// waiting changes, and resumes where it stopped after a restart.
public struct BulkChangeJob: Sendable, Equatable {
    /// What the job does to each record.
    public enum Work: Sendable, Equatable {
        /// Judges the record and the rows of its classes by that version of the program. Unless `judgingClosed` is set, the
        /// record keeps its version if something of a closed class would change.
        case move(to: Version, judgingClosed: Bool = false)
        /// Shows hidden entries: those below the entries at a path of names, or all of them if the path is empty.
        case release(path: [String])
        /// Recomputes the record with that build of its scheme, if another build computed it.
        case recompute(by: SchemeExecutable)
    }

    /// The state of a job.
    public enum State: String, Sendable {
        /// It may begin only on a later day.
        case waiting
        /// It runs, or waits for its turn.
        case running
        /// It has visited every record.
        case done
        /// It ended early because the change can no longer be made.
        case stopped
    }

    /// The identifier, unique among all jobs.
    public let id: String
    /// The institution the program belongs to.
    public let institution: InstitutionID
    /// The program whose records change.
    public let program: ProgramID
    /// What the job does to each record.
    public let work: Work
    /// The account that ordered it.
    public let account: AccountID
    /// The source of the request: the peer's address, `cli` or `job`.
    public let source: String
    /// When it was ordered.
    public let orderedAt: Timestamp
    /// The day from which it may begin.
    public let dueOn: CalendarDay
    /// The progress so far.
    public var progress: BulkChangeProgress

    /// Creates a job; by default, it has made no progress.
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

    /// Creates the job that moves a program's records to a version. Its identifier allows one such job for each
    /// version.
    public init(
        moving program: ProgramID, of institution: InstitutionID, to version: Version, by account: AccountID,
        from source: String, at moment: Timestamp, dueOn day: CalendarDay, judgingClosed judgesClosed: Bool = false
    ) {
        self.init(
            id: "\(program).\(version)", institution: institution, program: program,
            work: .move(to: version, judgingClosed: judgesClosed), account: account, source: source, orderedAt: moment,
            dueOn: day)
    }

    /// Returns the job's state on a day.
    public func state(on day: CalendarDay) -> State {
        if progress.finishedAt != nil { return progress.isStopped ? .stopped : .done }
        return day < dueOn ? .waiting : .running
    }
}

/// The progress of a bulk change.
public struct BulkChangeProgress: Sendable, Equatable {
    /// The last record visited; `nil` before the first.
    public var cursor: RecordID?
    /// The number of records visited.
    public var done = 0
    /// The number of records the program had when the change was ordered.
    public var total = 0
    /// The number of records that changed.
    public var changed = 0
    /// The number of records that the rules refused; they are unchanged.
    public var refused = 0
    /// The reasons for the refusals, at most ``greatestReasons``. Records refused for further reasons count for the last.
    public var refusals: [BulkChangeRefusal] = []
    /// When the job visited its last record or stopped early; `nil` while it is unfinished.
    public var finishedAt: Timestamp?
    /// Whether the job ended before it had visited every record.
    public var isStopped = false

    /// The greatest number of reasons that are stored.
    public static let greatestReasons = 8

    /// Creates the progress of a job that has not begun.
    public init() {}

    /// Counts a record that was refused.
    public mutating func refuse(_ record: RecordID, because code: FaultCode) {
        refused += 1
        if let known = refusals.firstIndex(where: { $0.code == code }) {
            refusals[known].add(record)
        } else if refusals.count < Self.greatestReasons {
            refusals.append(BulkChangeRefusal(code, [record]))
        } else {
            refusals[refusals.count - 1].add(record)
        }
    }
}

/// A reason for which a bulk change refused records.
public struct BulkChangeRefusal: Sendable, Equatable {
    /// The greatest number of records that are listed.
    public static let greatestList = 10

    /// The code of the first fault.
    public let code: FaultCode
    /// The number of records that were refused for it.
    public private(set) var count: Int
    /// The first of them.
    public private(set) var records: [RecordID]

    /// Creates a reason.
    ///
    /// - Parameter count: the number of records; `nil` if all of them are listed.
    public init(_ code: FaultCode, _ records: [RecordID], count: Int? = nil) {
        self.code = code
        self.count = count ?? records.count
        self.records = Array(records.prefix(Self.greatestList))
    }

    mutating func add(_ record: RecordID) {
        count += 1
        if records.count < Self.greatestList { records.append(record) }
    }
}
