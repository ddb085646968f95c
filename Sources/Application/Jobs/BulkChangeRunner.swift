import GradingKit
import Institutions
import Records
import Shared

/// Carries out changes of many records: a few records at a time, each a change of its own that waits its turn behind the
/// others.
///
/// A job that was interrupted goes on behind the last slice that was kept. A record is changed once only, because the
/// change is decided on the record as it stands.
final class BulkChangeRunner: Sendable {
    /// Records in a slice: few enough that a waiting change never waits long.
    private static let slice = 16
    /// How often to check for due jobs.
    private static let interval = Duration.seconds(30)

    let store: any SweepStore
    private let browser: any RecordBrowser
    private let records: RecordService
    private let clock: WallClock
    private let wakes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    init(store: any SweepStore, browser: any RecordBrowser, records: RecordService, clock: WallClock) {
        self.store = store
        self.browser = browser
        self.records = records
        self.clock = clock
        wakes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Says that there may be a due job.
    func wake() { wakes.continuation.yield() }

    /// Works until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    wake()
                    try? await Task.sleep(for: Self.interval)
                }
            }
            for await _ in wakes.stream { await carryOutWhatIsDue() }
            group.cancelAll()
        }
    }

    /// Carries out every due job to its end.
    func carryOutWhatIsDue() async {
        // A store that does not answer is asked again at the next wake.
        _ = try? await records.institutions.programs.turn(on: AuditContext(by: nil, from: "job", at: clock.now))
        guard let sweeps = try? await store.openSweeps(by: clock.now.day) else { return }
        for sweep in sweeps where !Task.isCancelled { try? await carryOut(sweep) }
    }

    private func carryOut(_ sweep: BulkChangeJob) async throws {
        var progress = sweep.progress
        if case .recompute(let executable) = sweep.work, try await !runs(executable, sweep) {
            // What was rehearsed is not what would be computed.
            (progress.finishedAt, progress.isStopped) = (clock.now, true)
            return try await store.advance(sweep.id, to: progress)
        }
        // A slice may have been done before an interruption without having been noted.
        var mayBeDone = true
        while !Task.isCancelled {
            let slice = try await slice(of: sweep, after: progress.cursor)
            guard let last = slice.last else {
                progress.finishedAt = clock.now
                return try await store.advance(sweep.id, to: progress)
            }
            let outcomes: [Outcome]
            do {
                outcomes = try await change(slice, for: sweep, mayBeDone: mayBeDone)
            } catch is AuthorRefused {
                (progress.finishedAt, progress.isStopped) = (clock.now, true)
                return try await store.advance(sweep.id, to: progress)
            }
            mayBeDone = false
            progress.cursor = last.record
            progress.done += slice.count
            progress.changed += outcomes.count { $0 == .changed }
            progress.refused += outcomes.count { $0 == .refused }
            try await store.advance(sweep.id, to: progress)
        }
    }

    private func change(
        _ slice: [RecordVersion], for sweep: BulkChangeJob, mayBeDone: Bool
    ) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for item in slice {
                group.addTask {
                    let outcome = try await self.change(item.record, for: sweep)
                    guard mayBeDone, outcome == .untouched else { return outcome }
                    return try await self.wasChanged(item.record, by: sweep) ? .changed : .untouched
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The records that are looked at next.
    private func slice(of sweep: BulkChangeJob, after cursor: RecordID?) async throws -> [RecordVersion] {
        guard case .recompute(let executable) = sweep.work else {
            return try await browser.versions(of: sweep.program, after: cursor, limit: Self.slice)
        }
        return try await browser.standings(
            of: sweep.program, besides: executable, after: cursor, limit: Self.slice
        ).map { RecordVersion(record: $0.record, version: $0.version) }
    }

    /// Whether that build is the one that computes the program's scheme now.
    private func runs(_ executable: SchemeExecutable, _ sweep: BulkChangeJob) async throws -> Bool {
        guard let program = try await records.institutions.programs.find(sweep.program) else { return false }
        return records.books.executable(of: program.scheme) == executable
    }

    private enum Outcome {
        case changed
        case untouched
        case refused
    }

    /// The record stands already where the sweep would bring it.
    private struct Untouched: Error {}

    /// The one who ordered the job may not do it any more.
    private struct AuthorRefused: Error {}

    private func change(_ record: RecordID, for sweep: BulkChangeJob) async throws -> Outcome {
        var isAnew = false
        while !Task.isCancelled {
            do {
                try await attempt(record, sweep, anew: isAnew)
                return .changed
            } catch StoreError.moved {
                // Access or rules changed in between; decide again what is to be done.
                isAnew = true
                await Task.yield()
            } catch let refusal as AuthorRefused {
                // What is remembered may be out of date; the store decides.
                if isAnew { throw refusal }
                isAnew = true
            } catch is Untouched {
                return .untouched
            } catch StoreError.notFound {
                return .untouched
            } catch let faults as FaultList {
                // A record that its scheme cannot compute stays as it is; a scheme that computes nothing is asked again
                // when the sweep goes on.
                if faults.isNotComputable, try await !isComputing(sweep) { throw faults }
                return .refused
            } catch is RecordUnreadable {
                return .refused
            }
        }
        throw CancellationError()
    }

    /// Whether the program's scheme computes anything at all.
    private func isComputing(_ sweep: BulkChangeJob) async throws -> Bool {
        guard let program = try await records.institutions.programs.find(sweep.program), let version = program.newest
        else { return false }
        let rules = try await records.books.book(of: program, version: version).rules
        return try await rules.perform { (try? rules.standing(of: rules.emptyRecord)) != nil }
    }

    /// Whether the sweep has changed a record before it was interrupted.
    private func wasChanged(_ record: RecordID, by sweep: BulkChangeJob) async throws -> Bool {
        var (left, before): (Int, Version?) = (50, nil)
        while left > 0 {
            let page = try await records.store.history(of: record, view: .full, before: before, limit: left)
            if page.contains(where: sweep.made) { return true }
            guard let last = page.last, last.at >= sweep.orderedAt else { return false }
            (left, before) = (left - page.count, last.version)
        }
        return false
    }

    private func attempt(_ record: RecordID, _ sweep: BulkChangeJob, anew isAnew: Bool) async throws {
        guard let program = try await records.institutions.programs.find(sweep.program, anew: isAnew),
            let head = try await records.store.head(of: record)
        else { throw StoreError.notFound }
        let access: AccessVersions
        do {
            access = try await records.access(sweep.work.action, of: sweep.account, to: program, anew: isAnew)
        } catch is UseCaseError {
            throw AuthorRefused()
        }
        let context = WriteContext(
            account: sweep.account, source: sweep.source, at: clock.now, view: .full, expected: nil, idempotency: nil,
            access: access)
        switch sweep.work {
        case .move(let target):
            let book = try await records.books.book(of: program, version: target)
            _ = try await records.store.amend(record, under: book.rules, by: context) { snapshot in
                guard snapshot.head.programVersion < target else { throw Untouched() }
                return try book.move(snapshot)
            }
        case .recompute(let executable):
            let book = try await records.books.book(of: program, version: head.programVersion)
            _ = try await records.store.amend(record, under: book.rules, by: context) { snapshot in
                guard snapshot.full.executable != executable else { throw Untouched() }
                return try book.recompute(snapshot)
            }
        case .release(let path):
            let book = try await records.books.book(of: program, version: head.programVersion)
            let edit = RecordEdit.release(below: path)
            _ = try await records.store.amend(record, under: book.rules, by: context) { snapshot in
                let amendment = try book.amendment(of: snapshot, by: edit, view: .full)
                guard amendment.full != snapshot.full else { throw Untouched() }
                return amendment
            }
        }
    }
}

extension BulkChangeJob.Work {
    /// What its author must still be allowed to do with the program.
    fileprivate var action: Action {
        switch self {
        case .move, .recompute: .write
        case .release: .grade
        }
    }
}

extension BulkChangeJob {
    /// Whether an item of a record's history tells of this job.
    fileprivate func made(_ item: HistoryItem) -> Bool {
        guard item.at >= orderedAt else { return false }
        switch work {
        case .release: return item.change.operation == "release"
        case .move(let version):
            let after = item.change.after.flatMap { try? JSON.parse($0) }
            return item.change.operation == "move" && after?["programVersion"]?.integer == version
        case .recompute(let executable):
            return item.change.operation == "recompute" && item.executable == executable
        }
    }
}
