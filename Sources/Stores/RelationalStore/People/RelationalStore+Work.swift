import Database
public import People
public import Shared

extension RelationalStore {
    /// Returns what an account works on, the last change first.
    public func work(
        of account: AccountID, registrarOf institutions: [InstitutionID], teaching programs: [ProgramID], limit: Int
    ) async throws -> [WorkRow] {
        try await read { connection in
            let rows =
                try connection.recordWork(of: account) + connection.classWork(of: account)
                + connection.programWork(institutions, programs)
            let newest = rows.sorted { $0.changedAt > $1.changedAt }
            return Array(newest.prefix(max(0, limit)))
        }
    }
}

extension Connection {
    /// The greatest number of changes that are walked through for the last ones that the students may know of.
    private static let mostSteps = 5_000

    fileprivate func recordWork(of account: AccountID) throws -> [WorkRow] {
        let found = try all(
            "SELECT id, created_at, last_change FROM records WHERE student = ? ORDER BY id DESC LIMIT ?",
            .text(account.text), .integer(WorkRow.mostOfKind)
        ) { (id: RecordID($0.text(0)), createdAt: $0.integer(1), last: $0.integer(2)) }
        var steps = 0
        return try found.map { record in
            // What is hidden from the student has not happened.
            var moment = record.createdAt
            try Trail(connection: self).walk(from: record.last, "at, released_version") { _, row in
                steps += 1
                guard !row.isNull(2) else { return steps < Self.mostSteps ? .onward : .enough }
                moment = row.integer(1)
                return .enough
            }
            return WorkRow(.record(record.id), changedAt: Timestamp(microseconds: Int64(moment)))
        }
    }

    fileprivate func classWork(of account: AccountID) throws -> [WorkRow] {
        try all(
            """
            SELECT id, at FROM (SELECT class FROM class_staff WHERE account = ? ORDER BY class DESC LIMIT ?) AS taught
            JOIN classes ON classes.number = taught.class JOIN class_changes ON seq = classes.last_change
            """, .text(account.text), .integer(WorkRow.mostOfKind)
        ) { row in
            WorkRow(.taughtClass(ClassID(row.text(0))), changedAt: Timestamp(microseconds: Int64(row.integer(1))))
        }
    }

    fileprivate func programWork(_ institutions: [InstitutionID], _ programs: [ProgramID]) throws -> [WorkRow] {
        var found: [ProgramID: WorkRow] = [:]
        func add(_ condition: String, _ value: String) throws {
            let room = WorkRow.mostOfKind - found.count
            guard room > 0 else { return }
            let rows = try all(
                """
                SELECT id, max(created_at, ifnull(draft_edited_at, 0), ifnull((
                    SELECT published_at FROM program_versions AS version
                    WHERE version.institution = programs.institution AND version.program = programs.id
                    AND version.number = programs.newest), 0))
                FROM programs WHERE \(condition) = ? ORDER BY id DESC LIMIT ?
                """, .text(value), .integer(room)
            ) { row in
                let id = ProgramID(row.text(0))
                return (id, WorkRow(.program(id), changedAt: Timestamp(microseconds: Int64(row.integer(1)))))
            }
            for (id, row) in rows { found[id] = row }
        }
        for institution in institutions { try add("institution", institution.text) }
        for program in programs { try add("id", program.text) }
        return Array(found.values)
    }
}
