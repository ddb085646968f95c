import Classes
import Cryptography
import Gradebook
import GradingKit
import Institutions
import Records
import Shared

/// The runner of bulk changes: a slice of records at a time, each record as a change of its own that queues behind
/// other writes.
///
/// An interrupted job resumes after the last slice that was noted. Each record is changed only once: the change is
/// decided on the record's current state, and its idempotency key keeps a slice repeated within a day from undoing what
/// others have done to the record since. No record moves twice, because it never goes back to an earlier version.
final class BulkChangeRunner: Sendable {
    /// Records in a slice: few enough that a waiting write is never delayed for long.
    private static let slice = 16
    /// How often to check for due jobs.
    private static let interval = Duration.seconds(30)

    let store: any BulkChangeStore
    private let browser: any RecordBrowser
    private let records: RecordService
    private let gradebook: any GradebookStore
    private let bookCache: ClassBookCache
    private let clock: WallClock
    private let claimer: WorkClaimer

    init(
        store: any BulkChangeStore, browser: any RecordBrowser, records: RecordService,
        gradebook: any GradebookStore, bookCache: ClassBookCache, identifiers: UUIDSource, clock: WallClock
    ) {
        self.store = store
        self.browser = browser
        self.records = records
        self.gradebook = gradebook
        self.bookCache = bookCache
        self.clock = clock
        claimer = WorkClaimer(.bulkChanges, in: store, identifiers: identifiers, clock: clock)
    }

    /// Signals that a job may be due.
    func wake() { claimer.wake() }

    /// Works until the task is cancelled.
    func run() async { await claimer.whenWoken(atLeastEvery: Self.interval) { await carryOutWhatIsDue() } }

    /// Carries every due job that no process is working on to its end.
    func carryOutWhatIsDue() async {
        // If the store fails, the next wake tries again.
        _ = try? await records.institutions.programs.turn(on: AuditContext(by: nil, from: "job", at: clock.now))
        await claimer.carryOutAll { try await carryOut($0) }
    }

    private func carryOut(_ lease: WorkLease) async throws {
        guard let job = try await store.bulkChange(lease.work) else { return }
        var progress = job.progress
        if case .recompute(let executable) = job.work, try await !runs(executable, job) {
            // Another build runs now, so the results would not be those that were rehearsed.
            (progress.finishedAt, progress.isStopped) = (clock.now, true)
            return try await store.advance(to: progress, under: lease)
        }
        // A slice may have been done before an interruption without having been noted.
        var mayBeDone = true
        while !Task.isCancelled {
            let slice = try await slice(of: job, after: progress.cursor)
            guard let last = slice.last else {
                progress.finishedAt = clock.now
                return try await store.advance(to: progress, under: lease)
            }
            let outcomes: [(record: RecordID, outcome: Outcome)]
            do {
                outcomes = try await change(slice, for: job, mayBeDone: mayBeDone)
            } catch is AuthorRefused {
                (progress.finishedAt, progress.isStopped) = (clock.now, true)
                return try await store.advance(to: progress, under: lease)
            }
            mayBeDone = false
            progress.cursor = last.record
            progress.done += slice.count
            progress.changed += outcomes.count { $0.outcome == .changed }
            for (record, outcome) in outcomes.sorted(by: { $0.record < $1.record }) {
                if case .refused(let code) = outcome { progress.refuse(record, because: code) }
            }
            try await store.advance(to: progress, under: lease)
        }
    }

    private func change(
        _ slice: [RecordVersion], for job: BulkChangeJob, mayBeDone: Bool
    ) async throws -> [(record: RecordID, outcome: Outcome)] {
        try await withThrowingTaskGroup(of: (record: RecordID, outcome: Outcome).self) { group in
            for item in slice {
                group.addTask {
                    let outcome = try await self.change(item.record, for: job)
                    guard mayBeDone, outcome == .untouched else { return (item.record, outcome) }
                    let wasChanged = try await self.wasChanged(item.record, by: job)
                    return (item.record, wasChanged ? .changed : .untouched)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Returns the next records to consider.
    private func slice(of job: BulkChangeJob, after cursor: RecordID?) async throws -> [RecordVersion] {
        guard case .recompute(let executable) = job.work else {
            return try await browser.versions(of: job.program, after: cursor, limit: Self.slice)
        }
        return try await browser.standings(
            of: job.program, besides: executable, after: cursor, limit: Self.slice
        ).map { RecordVersion(record: $0.record, version: $0.version) }
    }

    /// Returns whether that build is the one that computes the program's scheme now.
    private func runs(_ executable: SchemeExecutable, _ job: BulkChangeJob) async throws -> Bool {
        guard let program = try await records.institutions.programs.find(job.program) else { return false }
        return records.rulesCache.executable(of: program.scheme) == executable
    }

    private enum Outcome: Equatable {
        case changed
        case untouched
        case refused(FaultCode)
    }

    /// The record is already in the state to which the job would bring it.
    private struct Untouched: Error {}

    /// The author of the job no longer has the right to do it.
    private struct AuthorRefused: Error {}

    private func change(_ record: RecordID, for job: BulkChangeJob) async throws -> Outcome {
        var bypassingCache = false
        while !Task.isCancelled {
            do {
                try await attempt(record, job, bypassingCache: bypassingCache)
                return .changed
            } catch StoreError.moved {
                // Access or rules changed in the meantime; decide again.
                bypassingCache = true
                await Task.yield()
            } catch let refusal as AuthorRefused {
                // Cached rights may be out of date; the store decides.
                if bypassingCache { throw refusal }
                bypassingCache = true
            } catch is Untouched {
                return .untouched
            } catch StoreError.notFound {
                return .untouched
            } catch let faults as FaultList {
                // A record that its scheme cannot compute is left unchanged. If the scheme computes nothing at all, the
                // job stops here and asks again when it resumes.
                if faults.isNotComputable, try await !isComputing(job.program) { throw faults }
                return .refused(faults.faults.first?.code ?? .recordUnreadable)
            } catch is RecordUnreadable {
                return .refused(.recordUnreadable)
            }
        }
        throw CancellationError()
    }

    private func isComputing(_ id: ProgramID) async throws -> Bool {
        guard let program = try await records.institutions.programs.find(id) else { return false }
        return try await records.isComputing(program)
    }

    /// Returns whether the job changed the record before it was interrupted.
    private func wasChanged(_ record: RecordID, by job: BulkChangeJob) async throws -> Bool {
        var (left, before): (Int, Version?) = (50, nil)
        while left > 0 {
            let page = try await records.store.history(of: record, view: .full, before: before, limit: left)
            if page.contains(where: job.made) { return true }
            guard let last = page.last, last.at >= job.orderedAt else { return false }
            (left, before) = (left - page.count, last.version)
        }
        return false
    }

    private func attempt(_ record: RecordID, _ job: BulkChangeJob, bypassingCache: Bool) async throws {
        guard let program = try await records.institutions.programs.find(job.program, bypassingCache: bypassingCache),
            let head = try await records.store.head(of: record)
        else { throw StoreError.notFound }
        let access: AccessVersions
        do {
            access = try await records.access(
                job.work.action, of: job.account, under: .resultsWrite, to: program, bypassingCache: bypassingCache)
        } catch is UseCaseError {
            throw AuthorRefused()
        }
        let context = WriteContext(
            account: job.account, source: job.source, at: clock.now, view: .full, expected: nil,
            // The space keeps the key distinct from clients' keys, which contain none.
            idempotency: IdempotencyKey(key: "job \(job.id) \(record)", digest: SHA256.hash(Array(job.id.utf8))),
            access: access)
        switch job.work {
        case .move(let target, let judgesClosed):
            try await move(record, of: program, to: target, judgingClosed: judgesClosed, by: job, under: access)
        case .recompute(let executable):
            let recordRules = try await records.rulesCache.rules(of: program, version: head.programVersion)
            _ = try await records.store.amend(record, under: recordRules.rules, by: context) { snapshot in
                guard snapshot.full.executable != executable else { throw Untouched() }
                return try recordRules.recompute(snapshot)
            }
        case .release(let path):
            if let student = head.student {
                let makers = try await records.institutions.serviceAccounts.makers(of: job.account)
                if student == job.account || makers.contains(student) { throw FaultList([Fault(.aboutOneself)]) }
            }
            let recordRules = try await records.rulesCache.rules(of: program, version: head.programVersion)
            let edit = RecordEdit.release(below: path)
            _ = try await records.store.amend(record, under: recordRules.rules, by: context) { snapshot in
                let amendment = try recordRules.amendment(of: snapshot, by: edit, view: .full)
                guard amendment.full != snapshot.full else { throw Untouched() }
                return amendment
            }
        }
    }
}

extension BulkChangeRunner {
    /// Moves a record with the rows of its classes. The move is decided here; the store refuses it with `moved` if the
    /// record or a row has changed meanwhile.
    private func move(
        _ record: RecordID, of program: Program, to target: Version, judgingClosed judgesClosed: Bool,
        by job: BulkChangeJob, under access: AccessVersions
    ) async throws {
        guard let linked = try await gradebook.linked(record) else { throw StoreError.notFound }
        guard linked.snapshot.head.programVersion < target else { throw Untouched() }
        let rules = try await records.rulesCache.rules(of: program, version: target)
        let newest = try await records.rulesCache.rules(of: program, version: program.newest ?? target)
        let version = linked.snapshot.head.programVersion
        let former = try? await records.rulesCache.rules(of: program, version: version)
        let move = try await rules.rules.perform { [bookCache] in
            try RecordMove(linked, to: rules, judgingClosed: judgesClosed) { taught in
                former.flatMap {
                    try? bookCache.book(taught.structure, of: taught.head.id, under: $0, renamedBy: newest)
                }
            } books: { taught throws(FaultList) in
                try bookCache.book(taught.structure, of: taught.head.id, under: rules, renamedBy: newest)
            }
        }
        try await gradebook.move(
            move, by: ActContext(account: job.account, source: job.source, at: clock.now, access: access))
    }
}

extension BulkChangeJob.Work {
    /// The right that the author must still have on the program.
    fileprivate var action: Action {
        switch self {
        case .move, .recompute: .write
        case .release: .grade
        }
    }
}

extension BulkChangeJob {
    /// Returns whether a history item was made by this job.
    fileprivate func made(_ item: HistoryItem) -> Bool {
        guard item.at >= orderedAt else { return false }
        switch work {
        case .release: return item.change.operation == "release"
        case .move(let version, _):
            let after = item.change.after.flatMap { try? JSON.parse($0) }
            return item.change.operation == "move" && after?["programVersion"]?.integer == version
        case .recompute(let executable):
            return item.change.operation == "recompute" && item.executable == executable
        }
    }
}
