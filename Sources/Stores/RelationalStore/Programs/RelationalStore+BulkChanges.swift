import Database
public import Records
public import Shared

extension RelationalStore: BulkChangeStore {
    /// Stores a job together with its audit line.
    public func insert(
        _ job: BulkChangeJob, audit: AuditEntry, keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob {
        try await write { transaction in
            let plan = BulkChangePlans.order(
                job, total: try transaction.total(of: job), audit: audit, keeping: keep)
            return try transaction.apply(plan)
        }
    }

    /// Stores the progress of the job under a lease.
    public func advance(to progress: BulkChangeProgress, under lease: WorkLease) async throws {
        try await write { transaction in
            let stored = try transaction.connection.lease(on: lease.work, .bulkChanges)
            try transaction.apply(BulkChangePlans.progress(to: progress, under: lease, stored: stored))
        }
    }

    /// Returns a job; `nil` if it does not exist.
    public func bulkChange(_ id: String) async throws -> BulkChangeJob? {
        try await read { connection in
            try connection.first("SELECT \(BulkChangeRow.columns) FROM bulk_changes WHERE id = ?", .text(id)) {
                BulkChangeRow.job($0)
            }
        }
    }

    /// Returns the latest jobs of a program, newest first.
    public func bulkChanges(of program: ProgramID) async throws -> [BulkChangeJob] {
        try await read { connection in
            try connection.all(
                "SELECT \(BulkChangeRow.columns) FROM bulk_changes WHERE program = ? ORDER BY ordered_at DESC LIMIT 100",
                .text(program.text)
            ) { BulkChangeRow.job($0) }
        }
    }
}
