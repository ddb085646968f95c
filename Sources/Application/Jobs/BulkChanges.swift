import Cryptography
import GradingKit
import Institutions
import Records
import Shared

/// The bulk changes of programs' records: orders new ones, and lists those already ordered.
public struct BulkChanges: Sendable {
    let rehearsals: RehearsalRunner
    private let runner: BulkChangeRunner
    private let identifiers: UUIDSource

    init(rehearsals: RehearsalRunner, runner: BulkChangeRunner, identifiers: UUIDSource) {
        self.rehearsals = rehearsals
        self.runner = runner
        self.identifiers = identifiers
    }

    /// Returns the moves of a program's records to new versions, newest first.
    func moves(under permit: ProgramPermit<May.Oversee>) async throws -> [BulkChangeJob] {
        try await runner.store.bulkChanges(of: permit.program.id).filter {
            if case .move = $0.work { true } else { false }
        }
    }

    /// Returns the releases of hidden results in a program's records, newest first.
    func releases(under permit: ProgramPermit<May.Oversee>) async throws -> [BulkChangeJob] {
        try await runner.store.bulkChanges(of: permit.program.id).filter {
            if case .release = $0.work { true } else { false }
        }
    }

    /// Returns the recomputations of a program's records, newest first.
    func recomputations(under permit: ProgramPermit<May.Oversee>) async throws -> [BulkChangeJob] {
        try await runner.store.bulkChanges(of: permit.program.id).filter {
            if case .recompute = $0.work { true } else { false }
        }
    }

    /// Returns the students of the records that these changes list as refused.
    func owners(ofRefusedBy jobs: [BulkChangeJob]) async throws -> RecordOwners {
        let records = Set(jobs.flatMap(\.progress.refusals).flatMap(\.records))
        if records.isEmpty { return RecordOwners() }
        return try await RecordOwners(
            of: records.sorted(), browser: rehearsals.browser, service: rehearsals.records)
    }

    /// Orders the release, as one act, of everything hidden below a path of names in all records of the program.
    ///
    /// - Parameter keep: makes the answer to store with the order.
    func release(
        below path: [String], under permit: ProgramPermit<May.Grade>, by context: AccountContext,
        keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob {
        let detail = JSON.object(["path": .array(path.map { .string($0) })])
        return try await order(
            .release(path: path), in: permit.program, by: context, as: "results.released", detail, keeping: keep)
    }

    /// Orders the recomputation, as rehearsed, of the records that another executable computed.
    ///
    /// - Parameters:
    ///   - digest: the digest of the rehearsal.
    ///   - keep: makes the answer to store with the order.
    /// - Throws: `digest_mismatch` when the result would differ from the rehearsal.
    func recompute(
        under permit: ProgramPermit<May.Write>, rehearsedAs digest: String, by context: AccountContext,
        keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob {
        let program = permit.program
        guard let rehearsal = try await rehearsals.store.rehearsal(of: program.id, digest: digest),
            rehearsal.basis.subject == .executable, let executable = rehearsal.basis.executable,
            executable == rehearsals.records.rulesCache.executable(of: program.scheme),
            try await covers(rehearsal, program, executable)
        else { throw UseCaseError.digestMismatch }
        let detail: JSON = ["executable": executable.json, "rehearsal": .string(digest)]
        return try await order(
            .recompute(by: executable), in: program, by: context, as: "records.recomputed", detail, keeping: keep)
    }

    private func order(
        _ work: BulkChangeJob.Work, in program: Program, by context: AccountContext, as action: String, _ detail: JSON,
        keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob {
        let act = context.audit()
        let today = try await rehearsals.records.institutions.tenants.today(in: program.institution, at: act.at)
        let job = BulkChangeJob(
            id: identifiers.next(), institution: program.institution, program: program.id, work: work,
            account: context.account, source: act.source, orderedAt: act.at, dueOn: today)
        let entry = act.entry(action, of: program.id.text, in: program.institution, detail: detail.bytes)
        let stored = try await runner.store.insert(job, audit: entry, keeping: keep)
        runner.wake()
        return stored
    }

    /// Returns whether the rehearsal covers every stale record in its current version. A record changed since then is
    /// no longer stale.
    private func covers(
        _ rehearsal: Rehearsal, _ program: Program, _ executable: SchemeExecutable
    ) async throws -> Bool {
        var seen = VersionCursor { cursor in
            try await rehearsals.store.versions(of: rehearsal.id, after: cursor, limit: 1_000)
        }
        var stale = VersionCursor { cursor in
            try await rehearsals.browser.standings(
                of: program.id, besides: executable, after: cursor, limit: 256
            ).map { RecordVersion(record: $0.record, version: $0.version) }
        }
        var rehearsed = try await seen.next()
        while let record = try await stale.next() {
            while let known = rehearsed, known.record < record.record { rehearsed = try await seen.next() }
            guard rehearsed == record else { return false }
        }
        return true
    }
}
