public import Records
import SQLite
public import Shared

extension SQLiteStore: SweepStore {
    /// Stores a sweep with its audit row.
    public func insert(
        _ sweep: BulkChangeJob, audit: AuditEntry, keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob {
        try await write { transaction in
            try transaction.insert(sweep)
            try transaction.audit(audit)
            let sql = "SELECT \(SweepRow.columns) FROM sweeps WHERE id = ?"
            guard let stored = try transaction.connection.first(sql, .text(sweep.id), read: { SweepRow.sweep($0) })
            else { throw StoreError.notFound }
            try transaction.keep(keep(stored))
            return stored
        }
    }

    /// Keeps how far a sweep is.
    public func advance(_ sweep: String, to progress: SweepProgress) async throws {
        try await write { transaction in
            try transaction.connection.run(
                """
                UPDATE sweeps SET cursor = ?, done = ?, changed = ?, refused = ?, finished_at = ?, stopped = ?
                WHERE id = ?
                """,
                .text(progress.cursor?.text), .integer(progress.done), .integer(progress.changed),
                .integer(progress.refused), .integer(progress.finishedAt?.microseconds),
                .integer(progress.isStopped ? 1 : 0), .text(sweep))
        }
    }

    /// Sweeps that are not finished and may begin by a day, oldest first.
    public func openSweeps(by day: CalendarDay) async throws -> [BulkChangeJob] {
        try await read { connection in
            try connection.all(
                """
                SELECT \(SweepRow.columns) FROM sweeps WHERE finished_at IS NULL AND due_on <= ? ORDER BY due_on, ordered_at
                """,
                .integer(day.days)
            ) { SweepRow.sweep($0) }
        }
    }

    /// The latest sweeps of a program, newest first.
    public func sweeps(of program: ProgramID) async throws -> [BulkChangeJob] {
        try await read { connection in
            try connection.all(
                "SELECT \(SweepRow.columns) FROM sweeps WHERE program = ? ORDER BY ordered_at DESC LIMIT 100",
                .text(program.text)
            ) { SweepRow.sweep($0) }
        }
    }
}
