public import Records
import SQLite
public import Shared

extension SQLiteStore: SweepStore {
    /// Stores a sweep with its audit row.
    public func insert(
        _ sweep: BulkChangeJob, audit: AuditEntry, keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob {
        try await write { transaction in
            let plan = SweepPlans.order(
                sweep, total: try transaction.total(of: sweep), audit: audit, keeping: keep)
            return try transaction.apply(plan)
        }
    }

    /// Keeps how far a sweep is.
    public func advance(_ sweep: String, to progress: SweepProgress) async throws {
        try await write { try $0.apply(SweepPlans.advance(sweep, to: progress)) }
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
