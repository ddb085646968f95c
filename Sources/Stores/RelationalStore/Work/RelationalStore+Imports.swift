import Database
public import Records
public import Shared

extension RelationalStore: ImportStore {
    /// Stores a new import, or returns the one already stored under its key.
    public func begin(_ entry: ImportEntry, by claim: WorkClaim) async throws -> ImportAdmission {
        try await write { transaction in
            let connection = transaction.connection
            let known = try entry.key.flatMap { try connection.importEntry(under: $0, of: entry.account) }
            let open = try connection.first(
                """
                SELECT count(*), count(*) FILTER (WHERE account = ?), CAST(coalesce(sum(size), 0) AS BIGINT) FROM imports
                WHERE state = 'running'
                """, .text(entry.account.text)
            ) { OpenImports(count: $0.integer(0), own: $0.integer(1), bytes: $0.integer(2)) }
            let oldest = try connection.all(
                """
                SELECT id FROM (
                    SELECT id, started_at FROM imports WHERE state <> 'running'
                    ORDER BY id DESC LIMIT 1000000000 OFFSET ?) AS earlier
                WHERE started_at <= ?
                """,
                .integer(ImportPlans.kept - 1),
                .integer(IdempotencyKey.horizon(at: entry.startedAt).microseconds)
            ) { $0.text(0) }
            return try transaction.apply(
                ImportPlans.admission(
                    of: entry, by: claim, known: known, besides: open ?? OpenImports(count: 0, own: 0, bytes: 0),
                    forgetting: oldest))
        }
    }

    /// Stores a piece of the body.
    public func keep(_ piece: [UInt8], number: Int, under lease: WorkLease) async throws {
        try await write { transaction in
            let stored = try transaction.connection.lease(on: lease.work, .imports)
            try transaction.apply(ImportPlans.piece(piece, number: number, under: lease, stored: stored))
        }
    }

    /// Returns a piece of the body of a running import.
    public func piece(_ number: Int, of id: String) async throws -> [UInt8]? {
        try await browse { connection in
            try connection.first(
                """
                SELECT bytes FROM import_bodies JOIN imports ON imports.id = import
                WHERE import = ? AND number = ? AND state = 'running'
                """,
                .text(id), .integer(number)
            ) { $0.bytes(0) }
        }
    }

    /// Deletes the bodies of imports that have ended, one piece per transaction, so that no other change waits long.
    private func dropBodies() async throws {
        let first = """
            SELECT import, number FROM import_bodies JOIN imports ON imports.id = import
            WHERE state <> 'running' LIMIT 1
            """
        while try await read({ try $0.first(first) { $0.text(0) } }) != nil {
            // The condition is checked again inside the write, because an import may have been restarted and then keeps
            // its body.
            try await write { try $0.connection.run("DELETE FROM import_bodies WHERE (import, number) IN (\(first))") }
        }
    }

    /// Stores the progress of an import, and more of its listed rows.
    public func update(_ entry: ImportEntry, listing rows: [ImportRow], under lease: WorkLease) async throws {
        try await write { transaction in
            let connection = transaction.connection
            let stored = try connection.lease(on: entry.id, .imports)
            try transaction.apply(
                ImportPlans.progress(of: entry, listing: rows, under: lease, stored: stored) { row in
                    let isRecordThere = try row.record.map { try connection.isThere($0.text, in: "records") } ?? true
                    let isStudentThere = try row.student.map { try connection.isThere($0.text, in: "accounts") } ?? true
                    return !isRecordThere || !isStudentThere
                })
        }
        // If the store takes no changes now, the next import or the hourly cleanup deletes the rest.
        if entry.state != .running { try? await dropBodies() }
    }

    /// Returns the import; `nil` if it does not exist.
    public func entry(_ id: String) async throws -> ImportEntry? {
        try await read { connection in
            try connection.first("SELECT \(ImportEntryRow.columns) FROM imports WHERE id = ?", .text(id)) {
                ImportEntryRow.entry($0)
            }
        }
    }

    /// Returns the listed rows of an import.
    public func rows(of id: String) async throws -> [ImportRow] {
        try await read { connection in
            try connection.all(
                "SELECT number, record, student, text FROM import_rows WHERE import = ? ORDER BY number", .text(id)
            ) { row in
                ImportRow(
                    number: row.integer(0), record: row.optionalText(1).map { RecordID($0) },
                    student: row.optionalText(2).map { AccountID($0) }, text: row.bytes(3))
            }
        }
    }

    /// Deletes the listed rows of ended imports, one import per transaction, and any bodies left over.
    public func forgetRows(endedBy moment: Timestamp) async throws {
        try await dropBodies()
        while try await forgetRowsOfOne(endedBy: moment) {}
    }

    private func forgetRowsOfOne(endedBy moment: Timestamp) async throws -> Bool {
        let ended = """
            SELECT id FROM imports WHERE ended_at <= ? AND EXISTS (SELECT 1 FROM import_rows WHERE import = id) LIMIT 1
            """
        guard try await read({ try $0.first(ended, .integer(moment.microseconds)) { $0.text(0) } }) != nil else {
            return false
        }
        try await write { transaction in
            let found = try transaction.connection.all(ended, .integer(moment.microseconds)) { $0.text(0) }
            try transaction.apply(WritePlan(found.map { ImportRowChange.forgetRows(of: $0) }))
        }
        return true
    }
}

/// The form of imports in the table.
enum ImportEntryRow {
    static let columns =
        """
        id, program, account, started_at, key, digest, total, state, done, accepted, refused, ended_at, source, reading,
        size
        """

    static func entry(_ row: borrowing Row) -> ImportEntry {
        let key = row.optionalText(4).map { IdempotencyKey(key: $0, digest: row.optionalBytes(5) ?? []) }
        var entry = ImportEntry(
            id: row.text(0), program: ProgramID(row.text(1)), account: AccountID(row.text(2)),
            startedAt: Timestamp(microseconds: Int64(row.integer(3))), key: key, total: row.integer(6),
            order: ImportOrder(source: row.text(12), reading: row.bytes(13), size: row.integer(14)))
        entry.state = ImportEntry.State(rawValue: row.text(7)) ?? .failed
        entry.done = row.integer(8)
        entry.accepted = row.integer(9)
        entry.refused = row.integer(10)
        entry.endedAt = row.optionalInteger(11).map { Timestamp(microseconds: Int64($0)) }
        return entry
    }
}

extension Connection {
    /// Returns whether a table has a row with that identifier.
    func isThere(_ id: String, in table: StaticString) throws -> Bool {
        try first("SELECT 1 FROM \(table) WHERE id = ?", .text(id)) { $0.boolean(0) } ?? false
    }

    /// Returns the newest import under a key, whatever its age.
    fileprivate func importEntry(under key: IdempotencyKey, of account: AccountID) throws -> ImportEntry? {
        try first(
            "SELECT \(ImportEntryRow.columns) FROM imports WHERE account = ? AND key = ? ORDER BY id DESC LIMIT 1",
            .text(account.text), .text(key.key)
        ) { ImportEntryRow.entry($0) }
    }
}

extension WriteTransaction {
    fileprivate func apply<Value>(_ plan: WritePlan<ImportRowChange, Value>) throws -> Value {
        try apply(plan) { change in
            switch change {
            case .insert(let entry, let lease):
                try insert(entry)
                try put(lease)
            case .restart(let entry, let lease):
                try update(entry)
                try put(lease)
            case .update(let entry): try update(entry)
            case .list(let row, let id):
                try connection.run(
                    """
                    INSERT INTO import_rows (import, number, record, student, text) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (import, number) DO UPDATE SET record = excluded.record, student = excluded.student,
                    text = excluded.text
                    """,
                    .text(id), .integer(row.number), .text(row.record?.text), .text(row.student?.text),
                    .utf8(row.text))
            case .keep(let bytes, let number, let id):
                try connection.run(
                    """
                    INSERT INTO import_bodies (import, number, bytes) VALUES (?, ?, ?)
                    ON CONFLICT (import, number) DO UPDATE SET bytes = excluded.bytes
                    """,
                    .text(id),
                    .integer(number), .blob(bytes))
            case .end(let id): try releaseWork(id, .imports)
            case .forgetRows(let id): try connection.run("DELETE FROM import_rows WHERE import = ?", .text(id))
            case .remove(let id): try connection.run("DELETE FROM imports WHERE id = ?", .text(id))
            }
        }
    }

    private func insert(_ entry: ImportEntry) throws {
        try connection.run(
            "INSERT INTO imports (\(ImportEntryRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .text(entry.id), .text(entry.program.text), .text(entry.account.text),
            .integer(entry.startedAt.microseconds), .text(entry.key?.key), .blob(entry.key?.digest),
            .integer(entry.total), .text(entry.state.rawValue), .integer(entry.done), .integer(entry.accepted),
            .integer(entry.refused), .integer(entry.endedAt?.microseconds), .text(entry.order.source),
            .utf8(entry.order.reading), .integer(entry.order.size))
    }

    private func update(_ entry: ImportEntry) throws {
        try connection.run(
            """
            UPDATE imports SET state = ?, done = ?, accepted = ?, refused = ?, ended_at = ?, source = ?, reading = ?,
            size = ? WHERE id = ?
            """,
            .text(entry.state.rawValue), .integer(entry.done), .integer(entry.accepted), .integer(entry.refused),
            .integer(entry.endedAt?.microseconds), .text(entry.order.source), .utf8(entry.order.reading),
            .integer(entry.order.size), .text(entry.id))
    }
}

extension WriteTransaction {
    /// Deletes the findings of rehearsals and the rows of imports about a record.
    func forgetFindings(of record: RecordID) throws {
        try connection.run(
            "UPDATE rehearsed SET rows = NULL WHERE record = ? AND rows IS NOT NULL", .text(record.text))
        try connection.run("DELETE FROM import_rows WHERE record = ?", .text(record.text))
    }
}
