public import Shared

/// Copies of the whole store, for administrators to download.
public struct Backups: Sendable {
    private let store: any CopyableStore
    private let audit: @Sendable (AuditEntry) async throws -> Void

    /// Creates backups of a store; each one is recorded in the audit trail.
    init(store: any CopyableStore, audit: @escaping @Sendable (AuditEntry) async throws -> Void) {
        self.store = store
        self.audit = audit
    }

    /// Copies everything in the store's current state.
    ///
    /// - Throws: what ``CopyableStore/copy()`` throws.
    public func take(by act: AuditContext) async throws -> any StoreCopy {
        // Recorded first, so that the copy itself contains who took it.
        try await audit(act.entry("backup.taken", of: "store"))
        return try await store.copy()
    }
}
