public import Shared

/// The store of bulk changes. Publishing a version stores its move in the same transaction.
public protocol BulkChangeStore: LeaseStore {
    /// Stores a job with its audit row and the answer to its request, and sets its total to the number of records.
    ///
    /// - Throws: `StoreError.taken(field: "key")` if an answer is already stored under the key.
    func insert(
        _ job: BulkChangeJob, audit: AuditEntry, keeping keep: @escaping @Sendable (BulkChangeJob) -> KeptAnswer?
    ) async throws -> BulkChangeJob
    /// Stores the progress of the job under a lease.
    ///
    /// - Throws: ``LeaseLost``.
    func advance(to progress: BulkChangeProgress, under lease: WorkLease) async throws
    /// Returns a job; `nil` if there is none.
    func bulkChange(_ id: String) async throws -> BulkChangeJob?
    /// Returns the latest 100 jobs of a program, newest first.
    func bulkChanges(of program: ProgramID) async throws -> [BulkChangeJob]
}
