public import Records
import SQLite
import Shared

extension WorkFile: ImportStore {
    /// Imports that are remembered.
    private static let keptImports = 1_000
    private static let importColumns =
        "id, program, account, started_at, key, digest, total, state, done, accepted, refused, rows"

    /// Keeps an import that begins, or answers the one that its key stands for.
    public func begin(_ entry: ImportEntry) async throws -> ImportAdmission {
        try await run { connection in
            if let key = entry.key, let known = try Self.known(key, of: entry, on: connection) {
                guard known.key?.digest == key.digest else { throw StoreError.idempotencyMismatch }
                guard known.state == .failed else { return .known(known) }
                let again = known.begunAgain()
                try Self.update(again, on: connection)
                return .begun(again)
            }
            try Self.insert(entry, on: connection)
            return .begun(entry)
        }
    }

    /// Keeps how far an import is.
    public func update(_ entry: ImportEntry) async throws {
        try await run { try Self.update(entry, on: $0) }
    }

    /// The import; `nil` when there is none.
    public func entry(_ id: String) async throws -> ImportEntry? {
        try await run { connection in
            try connection.first("SELECT \(Self.importColumns) FROM imports WHERE id = ?", .text(id)) { Self.entry($0) }
        }
    }

    private static func known(
        _ key: IdempotencyKey, of entry: ImportEntry, on connection: Connection
    ) throws -> ImportEntry? {
        let oldest = entry.startedAt.adding(seconds: -IdempotencyKey.lifetime)
        return try connection.first(
            "SELECT \(importColumns) FROM imports WHERE account = ? AND key = ? AND started_at > ? ORDER BY id DESC LIMIT 1",
            .text(entry.account.text), .text(key.key), .integer(oldest.microseconds)
        ) { Self.entry($0) }
    }

    private static func insert(_ entry: ImportEntry, on connection: Connection) throws {
        try connection.run(
            "INSERT INTO imports (\(importColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, 'running', 0, 0, 0, NULL)",
            .text(entry.id), .text(entry.program.text), .text(entry.account.text),
            .integer(entry.startedAt.microseconds), .text(entry.key?.key), .blob(entry.key?.digest),
            .integer(entry.total))
        try connection.run(
            "DELETE FROM imports WHERE id IN (SELECT id FROM imports ORDER BY id DESC LIMIT -1 OFFSET ?)",
            .integer(keptImports))
    }

    private static func update(_ entry: ImportEntry, on connection: Connection) throws {
        try connection.run(
            "UPDATE imports SET state = ?, done = ?, accepted = ?, refused = ?, rows = ? WHERE id = ?",
            .text(entry.state.rawValue), .integer(entry.done), .integer(entry.accepted), .integer(entry.refused),
            .utf8(entry.rows.isEmpty ? nil : entry.rows), .text(entry.id))
    }

    private static func entry(_ row: borrowing Row) -> ImportEntry {
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
