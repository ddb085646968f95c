import Database
import GradingKit
import Records
import Shared

/// The form of bulk changes in the table.
enum BulkChangeRow {
    static let columns = """
        institution, id, program, target, path, account, source, ordered_at, due_on, cursor, done, total, changed,
        refused, finished_at, executable, stopped, closed, refusals
        """

    static func job(_ row: borrowing Row) -> BulkChangeJob {
        var progress = BulkChangeProgress()
        progress.cursor = row.optionalText(9).map { RecordID($0) }
        progress.done = row.integer(10)
        progress.total = row.integer(11)
        progress.changed = row.integer(12)
        progress.refused = row.integer(13)
        progress.finishedAt = row.optionalInteger(14).map { Timestamp(microseconds: Int64($0)) }
        progress.isStopped = row.boolean(16)
        progress.refusals = refusals(row.optionalText(18))
        return BulkChangeJob(
            id: row.text(1), institution: InstitutionID(row.text(0)), program: ProgramID(row.text(2)),
            work: work(
                target: row.optionalInteger(3), judgesClosed: row.boolean(17), path: row.optionalText(4),
                executable: row.optionalText(15)),
            account: AccountID(row.text(5)),
            source: row.text(6), orderedAt: Timestamp(microseconds: Int64(row.integer(7))),
            dueOn: CalendarDay(days: row.integer(8)), progress: progress)
    }

    private static func work(target: Int?, judgesClosed: Bool, path: String?, executable: String?) -> BulkChangeJob.Work
    {
        if let target { return .move(to: target, judgingClosed: judgesClosed) }
        if let executable { return .recompute(by: SchemeExecutable(text: executable)) }
        let steps = path.flatMap { try? JSON.parse(Array($0.utf8)) }?.array ?? []
        return .release(path: steps.compactMap(\.string))
    }

    private static func refusals(_ text: String?) -> [BulkChangeRefusal] {
        let stored = text.flatMap { try? JSON.parse(Array($0.utf8)) }?.array ?? []
        return stored.compactMap { item in
            guard let code = item["code"]?.string, let count = item["count"]?.integer else { return nil }
            let records = item["records"]?.array?.compactMap(\.string) ?? []
            return BulkChangeRefusal(FaultCode(code), records.map { RecordID($0) }, count: count)
        }
    }

    static func text(of refusals: [BulkChangeRefusal]) -> String? {
        if refusals.isEmpty { return nil }
        return JSON.array(
            refusals.map { refusal in
                .object([
                    "code": .string(refusal.code.text), "count": .number(String(refusal.count)),
                    "records": .array(refusal.records.map { .string($0.text) }),
                ])
            }
        ).text
    }

    static func path(_ steps: [String]) -> String { JSON.array(steps.map { .string($0) }).text }
}

extension WriteTransaction {
    func apply<Value>(_ plan: WritePlan<BulkChangeRowChange, Value>) throws -> Value {
        try apply(plan) { change in
            switch change {
            case .insert(let job): try insert(job)
            case .advance(let job, let progress): try advance(job, to: progress)
            case .release(let job): try releaseWork(job, .bulkChanges)
            }
        }
    }

    /// Returns how many records a job concerns at the moment.
    func total(of job: BulkChangeJob) throws -> Int {
        if case .recompute(let build) = job.work {
            return try StaleRecords.count(in: job.program, besides: build, on: connection)
        }
        let sql = "SELECT count(*) FROM records WHERE program = ?"
        return try connection.first(sql, .text(job.program.text)) { $0.integer(0) } ?? 0
    }

    func insert(_ job: BulkChangeJob) throws {
        var (target, path, executable): (Int?, String?, String?) = (nil, nil, nil)
        var judgesClosed = false
        switch job.work {
        case .move(let version, let closed): (target, judgesClosed) = (version, closed)
        case .release(let steps): path = BulkChangeRow.path(steps)
        case .recompute(let build): executable = build.text
        }
        try connection.run(
            """
            INSERT INTO bulk_changes (\(BulkChangeRow.columns)) VALUES (
                ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL, 0, ?10, 0, 0, NULL, ?11, 0, ?12, NULL)
            """,
            .text(job.institution.text), .text(job.id), .text(job.program.text), .integer(target), .text(path),
            .text(job.account.text), .text(job.source), .integer(job.orderedAt.microseconds),
            .integer(job.dueOn.days), .integer(job.progress.total), .text(executable),
            .boolean(judgesClosed))
    }

    private func advance(_ job: String, to progress: BulkChangeProgress) throws {
        try connection.run(
            """
            UPDATE bulk_changes SET cursor = ?, done = ?, changed = ?, refused = ?, finished_at = ?, stopped = ?, refusals = ?
            WHERE id = ?
            """,
            .text(progress.cursor?.text), .integer(progress.done), .integer(progress.changed),
            .integer(progress.refused), .integer(progress.finishedAt?.microseconds),
            .boolean(progress.isStopped), .text(BulkChangeRow.text(of: progress.refusals)), .text(job))
    }
}
