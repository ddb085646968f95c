import Cryptography
import GradingKit
import HTTP
import Institutions
import Storage
import Synchronization

/// Carries out imports: short ones while their sender waits, long ones one after the other.
final class ImportRunner: Sendable {
    /// Imports that are remembered once they have ended.
    private static let remembered = 32

    /// An import with what it needs to be carried out.
    struct Job: Sendable {
        let id: String
        let desk: ResultDesk
        let table: ResultTable
    }

    private let identifiers: UUIDSource
    private let queue = WorkQueue<Job>(capacity: 4)
    private let imports = Mutex<[String: ResultImport]>([:])

    init(identifiers: UUIDSource) { self.identifiers = identifiers }

    /// Works until the task is cancelled.
    func run() async { await queue.forEach { await self.carryOut($0) } }

    /// Begins an import and, unless it `waits`, carries it out before it answers.
    func begin(_ table: ResultTable, by desk: ResultDesk, at now: Instant, waits: Bool) async throws -> ResultImport {
        let begun = ResultImport(
            id: identifiers.next(), program: desk.program.id, startedAt: now, total: table.rows.count)
        imports.withLock { imports in
            imports[begun.id] = begun
            let ended = imports.values.filter { $0.state != .running }.sorted { $0.id < $1.id }
            for old in ended.dropLast(Self.remembered) { imports[old.id] = nil }
        }
        let job = Job(id: begun.id, desk: desk, table: table)
        if waits {
            guard queue.push(job) else {
                imports.withLock { $0[begun.id] = nil }
                throw Problem.unavailable("Too many imports wait", retryAfter: 10)
            }
        } else {
            await carryOut(job)
        }
        return find(begun.id, of: desk.program.id) ?? begun
    }

    /// An import into the program, as far as it is.
    func find(_ id: String, of program: ProgramID) -> ResultImport? {
        imports.withLock { $0[id] }.flatMap { $0.program == program ? $0 : nil }
    }

    private func carryOut(_ job: Job) async {
        var resolved = ResultDesk.Resolved()
        var rest = job.table.rows[...]
        while !rest.isEmpty, !Task.isCancelled {
            let items = await job.desk.enter(&rest, &resolved)
            imports.withLock { imports in for item in items { imports[job.id]?.add(item) } }
        }
        imports.withLock { $0[job.id]?.state = rest.isEmpty ? .done : .failed }
    }
}
