import Accounts
import Cryptography
import Deadlines
import GradingKit
import Institutions
import Records
import Shared
import Synchronization

/// Carries out imports: short ones while their sender waits, long ones one after the other. Bodies are read away from
/// the event loops, where reading one would delay every other request.
public final class ImportRunner: Sendable {
    /// An import with what it needs to be carried out.
    private struct Job: Sendable {
        let entry: ImportEntry
        let results: ResultWriter
        let body: ResultBody
    }

    private let store: any ImportStore
    private let browser: any RecordBrowser
    private let records: RecordService
    private let identifiers: UUIDSource
    private let clock: WallClock
    private let queue = WorkQueue<Job>(capacity: 4)
    /// Imports under way or waiting, as far as they are.
    private let running = Mutex<[String: ResultImport]>([:])

    init(
        store: any ImportStore, browser: any RecordBrowser, records: RecordService, identifiers: UUIDSource,
        clock: WallClock
    ) {
        self.store = store
        self.browser = browser
        self.records = records
        self.identifiers = identifiers
        self.clock = clock
    }

    /// Works until the task is cancelled.
    func run() async { await queue.forEach { _ = await self.carryOut($0) } }

    /// Begins an import and, unless it `waits` or is long, carries it out before it answers. One that was sent before
    /// under the same key is answered as it is, or taken up again if it had failed.
    public func begin(_ body: ResultBody, by results: ResultWriter, waits: Bool) async throws -> ResultImport {
        let body = try await results.reading(body)
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            let entry = ImportEntry(
                id: identifiers.next(), program: results.program.id, account: results.context.account,
                startedAt: results.context.now, key: results.context.idempotencyKey, total: try await body.count())
            switch try await store.begin(entry) {
            case .known(let known):
                if let running = running.withLock({ $0[known.id] }) { return running }
                return ResultImport(known, listing: try await store.rows(of: known.id))
            case .begun(let begun):
                let job = Job(entry: begun, results: results, body: body)
                running.withLock { $0[begun.id] = ResultImport(begun) }
                guard waits || begun.total > ResultImport.fullyListed else {
                    // An import that has begun is carried out whole, however long its sender waits.
                    return await Deadline.$current.withValue(nil) { await carryOut(job) }
                }
                guard queue.push(job) else {
                    _ = await end(ResultImport(begun), .failed)
                    throw UseCaseError.unavailable("Too many imports wait", retryAfter: 10)
                }
                return ResultImport(begun)
            }
        }
    }

    /// An import into the program, as far as it is.
    public func find(_ id: String, under permit: ProgramPermit<May.Oversee>) async throws -> ResultImport? {
        let program = permit.program.id
        if let running = running.withLock({ $0[id] }) { return running.entry.program == program ? running : nil }
        guard let entry = try await store.entry(id), entry.program == program else { return nil }
        return ResultImport(entry, listing: try await store.rows(of: id))
    }

    /// Drops what is listed of imports that ended a day ago.
    func tidy() async throws { try await store.forgetRows(endedBy: clock.now.adding(seconds: -ImportPlans.listed)) }

    /// The students of the records that an import lists.
    public func owners(of found: ResultImport) async throws -> RecordOwners {
        let listed = found.items.compactMap { $0["record"]?.string.map { RecordID($0) } }
        return try await RecordOwners(of: listed, browser: browser, service: records)
    }

    /// What an import would do with each row; nothing is stored. That the caller reads the records is recorded.
    public func preview(_ body: ResultBody, by results: ResultWriter) async throws -> [ResultPreview.Row] {
        let body = try await results.reading(body)
        let rows = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var preview = ResultPreview(results)
            return try await preview.rows(of: body)
        }
        let seen = rows.compactMap { row -> (id: RecordID, student: AccountID?)? in
            guard case .success(let entering) = row.result else { return nil }
            return (entering.head.id, entering.head.student)
        }
        try await records.readings.note(results.context, lists: seen, of: results.program)
        return rows
    }

    private func carryOut(_ job: Job) async -> ResultImport {
        var progress = ResultImport(job.entry)
        var resolved = ResultWriter.Resolved()
        // The rows were counted, and therefore can be read.
        guard var reader = try? ResultReader(job.body) else { return await end(progress, .failed) }
        while progress.entry.done < job.entry.total, !Task.isCancelled {
            let items = await job.results.enter(&reader, &resolved, under: job.entry)
            if items.isEmpty { break }
            for item in items { progress.add(item) }
            // How far it is, is kept as well as can be, and told once it is; what was entered stands with the records.
            try? await progress.keep(in: store)
            running.withLock { [progress] in $0[progress.entry.id] = progress }
            await Task.yield()
        }
        return await end(progress, progress.entry.done == job.entry.total ? .done : .failed)
    }

    private func end(_ progress: ResultImport, _ state: ImportEntry.State) async -> ResultImport {
        var ended = progress
        ended.end(state, at: clock.now)
        // An end that cannot be kept is told from memory; after a restart the import has failed.
        let isKept = (try? await ended.keep(in: store)) != nil
        running.withLock { [ended] in $0[ended.entry.id] = isKept ? nil : ended }
        return ended
    }
}
