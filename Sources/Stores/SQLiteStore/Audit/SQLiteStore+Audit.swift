public import Shared

extension SQLiteStore: AuditTrail {
    /// Appends a line by itself.
    public func append(_ entry: AuditEntry) async throws {
        try await write { try $0.audit(entry) }
    }
}
