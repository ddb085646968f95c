import Accounts
import Cryptography
import GradingKit
import HTTP
import Institutions
import Records
import Shared
import Synchronization

/// Carries out imports: short ones while their sender waits, long ones one after the other. Bodies are read away from
/// the event loops, since a loop that reads one leaves everybody else on it waiting.
final class ImportRunner: Sendable {
    /// An import with what it needs to be carried out.
    private struct Job: Sendable {
        let entry: ImportEntry
        let desk: ResultDesk
        let body: ResultBody
    }

    private let store: any ImportStore
    private let identifiers: UUIDSource
    private let queue = WorkQueue<Job>(capacity: 4)
    /// Imports under way or waiting, as far as they are.
    private let running = Mutex<[String: ResultImport]>([:])

    init(store: any ImportStore, identifiers: UUIDSource) {
        self.store = store
        self.identifiers = identifiers
    }

    /// Works until the task is cancelled.
    func run() async { await queue.forEach { _ = await self.carryOut($0) } }

    /// Begins an import and, unless it `waits` or is long, carries it out before it answers. One that was sent before
    /// under the same key is answered as it is, or taken up again if it had failed.
    func begin(_ body: ResultBody, by desk: ResultDesk, waits: Bool) async throws -> ResultImport {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            let key = try desk.call.call.idempotencyKey()
            let entry = ImportEntry(
                id: identifiers.next(), program: desk.program.id, account: desk.call.signedIn.account,
                startedAt: desk.call.call.now, key: key, total: try await body.count())
            switch try await store.begin(entry) {
            case .known(let known): return running.withLock { $0[known.id] } ?? ResultImport(known)
            case .begun(let begun):
                let job = Job(entry: begun, desk: desk, body: body)
                running.withLock { $0[begun.id] = ResultImport(begun) }
                guard waits || begun.total > ResultImport.fullyListed else { return await carryOut(job) }
                guard queue.push(job) else {
                    _ = await end(ResultImport(begun), .failed)
                    throw Problem.unavailable("Too many imports wait", retryAfter: 10)
                }
                return ResultImport(begun)
            }
        }
    }

    /// An import into the program, as far as it is.
    func find(_ id: String, of program: ProgramID) async throws -> ResultImport? {
        var found = running.withLock { $0[id] }
        if found == nil { found = try await store.entry(id).map { ResultImport($0) } }
        return found?.entry.program == program ? found : nil
    }

    private func carryOut(_ job: Job) async -> ResultImport {
        var progress = ResultImport(job.entry)
        var resolved = ResultDesk.Resolved()
        // The rows were counted, and therefore can be read.
        guard var reader = try? ResultReader(job.body) else { return await end(progress, .failed) }
        while progress.entry.done < job.entry.total, !Task.isCancelled {
            let items = await job.desk.enter(&reader, &resolved, under: job.entry)
            if items.isEmpty { break }
            for item in items { progress.add(item) }
            let entry = progress.entry
            // How far it is, is kept as well as can be, and told once it is; what was entered stands with the records.
            try? await store.update(entry)
            running.withLock { [progress] in $0[entry.id] = progress }
            await Task.yield()
        }
        return await end(progress, progress.entry.done == job.entry.total ? .done : .failed)
    }

    private func end(_ progress: ResultImport, _ state: ImportEntry.State) async -> ResultImport {
        var ended = progress
        ended.end(state)
        // An end that cannot be kept is told from memory; after a restart the import has failed.
        let isKept = (try? await store.update(ended.entry)) != nil
        running.withLock { [ended] in $0[ended.entry.id] = isKept ? nil : ended }
        return ended
    }
}
