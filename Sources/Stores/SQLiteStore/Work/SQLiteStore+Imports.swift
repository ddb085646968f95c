public import Records
import SQLite
import Shared

extension SQLiteStore: ImportStore {
    /// Keeps an import that begins, or answers the one that its key stands for.
    public func begin(_ entry: ImportEntry) async throws -> ImportAdmission {
        try await write { transaction in
            let connection = transaction.connection
            let known = try entry.key.flatMap { try connection.importEntry(under: $0, of: entry.account) }
            let oldest = try connection.all(
                "SELECT id FROM imports ORDER BY id DESC LIMIT -1 OFFSET ?", .integer(ImportPlans.kept - 1)
            ) { $0.text(0) }
            return try transaction.apply(
                ImportPlans.admission(of: entry, known: known, forgetting: oldest))
        }
    }

    /// Keeps how far an import is.
    public func update(_ entry: ImportEntry) async throws {
        try await write { try $0.apply(WritePlan([ImportRowChange.update(entry)])) }
    }

    /// The import; `nil` when there is none.
    public func entry(_ id: String) async throws -> ImportEntry? {
        try await read { connection in
            try connection.first("SELECT \(ImportRow.columns) FROM imports WHERE id = ?", .text(id)) {
                ImportRow.entry($0)
            }
        }
    }
}

/// Imports as they stand in the table.
enum ImportRow {
    static let columns = "id, program, account, started_at, key, digest, total, state, done, accepted, refused, rows"

    static func entry(_ row: borrowing Row) -> ImportEntry {
        let key = row.optionalText(4).map { IdempotencyKey(key: $0, digest: row.optionalBytes(5) ?? []) }
        var entry = ImportEntry(
            id: row.text(0), program: ProgramID(row.text(1)), account: AccountID(row.text(2)),
            startedAt: Timestamp(microseconds: Int64(row.integer(3))), key: key, total: row.integer(6))
        entry.state = ImportEntry.State(rawValue: row.text(7)) ?? .failed
        entry.done = row.integer(8)
        entry.accepted = row.integer(9)
        entry.refused = row.integer(10)
        entry.rows = row.optionalBytes(11) ?? []
        return entry
    }
}

extension Connection {
    /// The newest import under a key, however old.
    fileprivate func importEntry(under key: IdempotencyKey, of account: AccountID) throws -> ImportEntry? {
        try first(
            "SELECT \(ImportRow.columns) FROM imports WHERE account = ? AND key = ? ORDER BY id DESC LIMIT 1",
            .text(account.text), .text(key.key)
        ) { ImportRow.entry($0) }
    }
}

extension WriteTransaction {
    fileprivate func apply<Value>(_ plan: WritePlan<ImportRowChange, Value>) throws -> Value {
        try apply(plan) { change in
            switch change {
            case .insert(let entry): try insert(entry)
            case .update(let entry): try update(entry)
            case .remove(let id): try connection.run("DELETE FROM imports WHERE id = ?", .text(id))
            }
        }
    }

    private func insert(_ entry: ImportEntry) throws {
        try connection.run(
            "INSERT INTO imports (\(ImportRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .text(entry.id), .text(entry.program.text), .text(entry.account.text),
            .integer(entry.startedAt.microseconds), .text(entry.key?.key), .blob(entry.key?.digest),
            .integer(entry.total), .text(entry.state.rawValue), .integer(entry.done), .integer(entry.accepted),
            .integer(entry.refused), .utf8(entry.rows.isEmpty ? nil : entry.rows))
    }

    private func update(_ entry: ImportEntry) throws {
        try connection.run(
            "UPDATE imports SET state = ?, done = ?, accepted = ?, refused = ?, rows = ? WHERE id = ?",
            .text(entry.state.rawValue), .integer(entry.done), .integer(entry.accepted), .integer(entry.refused),
            .utf8(entry.rows.isEmpty ? nil : entry.rows), .text(entry.id))
    }
}
