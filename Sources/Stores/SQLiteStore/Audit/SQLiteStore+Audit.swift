import SQLite
public import Storage

extension SQLiteStore: AuditTrail {
    /// Appends a line by itself.
    public func append(_ entry: AuditEntry) async throws {
        try await write { try $0.audit(entry) }
    }

    /// Lines of an institution's trail, or of the server's for `nil`, newest first, below number `before`.
    public func lines(
        of institution: InstitutionID?, before number: Int?, limit: Int
    ) async throws -> [AuditLine] {
        try await read { connection in
            try connection.all(
                "SELECT \(AuditLine.columns) FROM audit WHERE scope = ? AND number < ? ORDER BY number DESC LIMIT ?",
                .text(institution?.text ?? ""), .integer(number ?? .max), .integer(max(0, limit))
            ) { AuditLine($0) }
        }
    }
}
