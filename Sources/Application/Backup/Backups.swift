public import Shared

/// Copies of the whole store, for administrators to take away.
public struct Backups: Sendable {
    private let store: any CopyableStore
    private let audit: @Sendable (AuditEntry) async throws -> Void

    /// Copies of a store; each is noted in the audit trail.
    init(store: any CopyableStore, audit: @escaping @Sendable (AuditEntry) async throws -> Void) {
        self.store = store
        self.audit = audit
    }

    /// A copy of everything as it stands now.
    ///
    /// - Throws: what ``CopyableStore/copy()`` throws.
    public func take(by act: AuditContext) async throws -> any StoreCopy {
        // Told first, so that the copy itself knows who took it.
        try await audit(act.entry("backup.taken", of: "store"))
        return try await store.copy()
    }
}
