import Database
import GradingKit
public import Records
public import Shared

extension RelationalStore: RehearsalStore {
    /// Stores a new rehearsal. Cancels a running one of the program, and forgets its oldest ones.
    public func begin(_ rehearsal: Rehearsal, keeping kept: KeptAnswer?) async throws -> Bool {
        try await write { transaction in
            let connection = transaction.connection
            let earlier = try connection.rehearsals(of: rehearsal.program)
            let open = try connection.first("SELECT count(*) FROM rehearsals WHERE state = 'running'") {
                $0.integer(0)
            }
            return try transaction.apply(
                RehearsalPlans.beginning(rehearsal, besides: earlier, open: open ?? 0, keeping: kept))
        }
    }

    /// Stores the progress of a rehearsal, and the findings in more records.
    public func advance(
        _ rehearsal: Rehearsal, finding records: [RehearsedRecord], under lease: WorkLease
    ) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let stored = try connection.lease(on: rehearsal.id, .rehearsals)
            try transaction.apply(
                RehearsalPlans.progress(of: rehearsal, finding: records, under: lease, stored: stored) {
                    try !connection.isThere($0.text, in: "records")
                })
        }
    }

    /// Stops a running rehearsal, or forgets one that has ended.
    public func cancel(_ rehearsal: String) async throws -> Rehearsal? {
        try await write { transaction in
            try transaction.apply(
                RehearsalPlans.cancellation(of: try transaction.connection.rehearsal(rehearsal)))
        }
    }

    /// Deletes findings of a forgotten rehearsal; returns `true` if there may be more to delete.
    public func deleteForgotten(limit: Int) async throws -> Bool {
        try await write { transaction in
            let connection = transaction.connection
            let forgotten = try connection.first("SELECT id FROM forgotten_rehearsals LIMIT 1") { $0.text(0) }
            guard let forgotten else { return false }
            try connection.run(
                """
                DELETE FROM rehearsed WHERE rehearsal = ? AND record IN
                (SELECT record FROM rehearsed WHERE rehearsal = ? LIMIT ?)
                """,
                .text(forgotten), .text(forgotten), .integer(limit))
            if try connection.changes < limit {
                try connection.run("DELETE FROM forgotten_rehearsals WHERE id = ?", .text(forgotten))
            }
            return true
        }
    }

    /// Returns the rehearsal; `nil` if it does not exist.
    public func rehearsal(_ id: String) async throws -> Rehearsal? {
        try await browse { try $0.rehearsal(id) }
    }

    /// Returns a program's rehearsals, newest first.
    public func rehearsals(of program: ProgramID) async throws -> [Rehearsal] {
        try await browse { try $0.rehearsals(of: program) }
    }

    /// Returns a program's newest completed rehearsal with this digest.
    public func rehearsal(of program: ProgramID, digest: String) async throws -> Rehearsal? {
        try await browse { connection in
            try connection.first(
                """
                SELECT \(RehearsalRow.columns) FROM rehearsals WHERE program = ? AND digest = ? AND state = ?
                ORDER BY id DESC LIMIT 1
                """,
                .text(program.text), .text(digest), .text(Rehearsal.State.done.rawValue)
            ) { RehearsalRow.rehearsal($0) }
        }
    }

    /// Returns the findings of a rehearsal, ordered by record, from `first` on.
    public func findings(
        of rehearsal: String, from first: RecordID?, limit: Int
    ) async throws -> [RehearsalFinding] {
        try await browse { connection in
            try connection.all(
                """
                SELECT record, rows FROM rehearsed WHERE rehearsal = ? AND record >= ? AND rows IS NOT NULL
                ORDER BY record LIMIT ?
                """,
                .text(rehearsal), .text(first?.text ?? ""), .integer(limit)
            ) { RehearsalFinding(record: RecordID($0.text(0)), rows: $0.bytes(1)) }
        }
    }

    /// Returns the compared versions of records after `cursor`.
    public func versions(
        of rehearsal: String, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordVersion] {
        try await browse { connection in
            try connection.all(
                "SELECT record, version FROM rehearsed WHERE rehearsal = ? AND record > ? ORDER BY record LIMIT ?",
                .text(rehearsal), .text(cursor?.text ?? ""), .integer(limit)
            ) { RecordVersion(record: RecordID($0.text(0)), version: $0.integer(1)) }
        }
    }

    /// Returns the records after `cursor` that a running rehearsal has compared.
    public func compared(
        in rehearsal: String, after cursor: RecordID?, limit: Int
    ) async throws -> [ComparedRecord] {
        try await browse { connection in
            try connection.all(
                """
                SELECT record, version, program_version FROM rehearsed
                WHERE rehearsal = ? AND record > ? AND program_version IS NOT NULL ORDER BY record LIMIT ?
                """,
                .text(rehearsal), .text(cursor?.text ?? ""), .integer(limit)
            ) {
                ComparedRecord(
                    record: RecordID($0.text(0)), version: $0.integer(1), programVersion: $0.integer(2))
            }
        }
    }
}

extension Connection {
    fileprivate func rehearsal(_ id: String) throws -> Rehearsal? {
        try first("SELECT \(RehearsalRow.columns) FROM rehearsals WHERE id = ?", .text(id)) {
            RehearsalRow.rehearsal($0)
        }
    }

    /// Returns a program's rehearsals, newest first.
    fileprivate func rehearsals(of program: ProgramID) throws -> [Rehearsal] {
        try all(
            "SELECT \(RehearsalRow.columns) FROM rehearsals WHERE program = ? ORDER BY id DESC", .text(program.text)
        ) { RehearsalRow.rehearsal($0) }
    }
}

/// The form of rehearsals in the table.
enum RehearsalRow {
    static let columns = """
        id, program, published, published_configuration, proposed_configuration, started_at, state, digest, done,
        total, figures, letters, outcomes, bars, records, refused, subject, executable, lost, closed
        """

    static func rehearsal(_ row: borrowing Row) -> Rehearsal {
        var rehearsal = Rehearsal(
            id: row.text(0), program: ProgramID(row.text(1)),
            basis: RehearsalBasis(
                RehearsalBasis.Subject(rawValue: row.text(16)) ?? .draft,
                by: row.optionalText(17).map { SchemeExecutable(text: $0) },
                published: row.optionalInteger(2), publishedConfiguration: row.bytes(3),
                proposedConfiguration: row.bytes(4)),
            startedAt: Timestamp(microseconds: Int64(row.integer(5))))
        rehearsal.state = Rehearsal.State(rawValue: row.text(6)) ?? .failed
        rehearsal.digest = row.optionalText(7)
        rehearsal.done = row.integer(8)
        rehearsal.total = row.integer(9)
        rehearsal.counts.figures = row.integer(10)
        rehearsal.counts.letters = row.integer(11)
        rehearsal.counts.outcomes = row.integer(12)
        rehearsal.counts.bars = row.integer(13)
        rehearsal.counts.records = row.integer(14)
        rehearsal.counts.refused = row.integer(15)
        rehearsal.counts.lost = row.integer(18)
        rehearsal.counts.closed = row.integer(19)
        return rehearsal
    }
}

extension WriteTransaction {
    fileprivate func apply<Value>(_ plan: WritePlan<RehearsalRowChange, Value>) throws -> Value {
        try apply(plan) { change in
            switch change {
            case .insert(let rehearsal): try insert(rehearsal)
            case .update(let rehearsal): try update(rehearsal)
            case .release(let id): try releaseWork(id, .rehearsals)
            case .note(let compared, let rows, let rehearsal):
                try connection.run(
                    """
                    INSERT INTO rehearsed (rehearsal, record, version, program_version, rows)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (rehearsal, record) DO UPDATE SET version = excluded.version,
                    program_version = excluded.program_version, rows = excluded.rows
                    """,
                    .text(rehearsal), .text(compared.record.text), .integer(compared.version),
                    .integer(compared.programVersion), .utf8(rows))
            case .remove(let id):
                try connection.run("DELETE FROM rehearsals WHERE id = ?", .text(id))
                try connection.run("INSERT INTO forgotten_rehearsals (id) VALUES (?)", .text(id))
            }
        }
    }

    private func insert(_ rehearsal: Rehearsal) throws {
        let (basis, counts) = (rehearsal.basis, rehearsal.counts)
        try connection.run(
            """
            INSERT INTO rehearsals (\(RehearsalRow.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(rehearsal.id), .text(rehearsal.program.text), .integer(basis.published),
            .utf8(basis.publishedConfiguration), .utf8(basis.proposedConfiguration),
            .integer(rehearsal.startedAt.microseconds), .text(rehearsal.state.rawValue), .text(rehearsal.digest),
            .integer(rehearsal.done), .integer(rehearsal.total), .integer(counts.figures), .integer(counts.letters),
            .integer(counts.outcomes), .integer(counts.bars), .integer(counts.records), .integer(counts.refused),
            .text(basis.subject.rawValue), .text(basis.executable?.text), .integer(counts.lost),
            .integer(counts.closed))
    }

    private func update(_ rehearsal: Rehearsal) throws {
        let counts = rehearsal.counts
        try connection.run(
            """
            UPDATE rehearsals SET state = ?, digest = ?, done = ?, total = ?, figures = ?, letters = ?,
            outcomes = ?, bars = ?, records = ?, refused = ?, lost = ?, closed = ? WHERE id = ?
            """,
            .text(rehearsal.state.rawValue), .text(rehearsal.digest), .integer(rehearsal.done),
            .integer(rehearsal.total), .integer(counts.figures), .integer(counts.letters),
            .integer(counts.outcomes), .integer(counts.bars), .integer(counts.records), .integer(counts.refused),
            .integer(counts.lost), .integer(counts.closed), .text(rehearsal.id))
    }
}
