public import Shared

/// The store of imports, with their bodies while they run. The results they enter are stored with the records.
public protocol ImportStore: LeaseStore {
    /// Stores an import that begins, under a lease, and removes the oldest finished ones beyond ``ImportPlans/kept``
    /// whose idempotency keys have expired.
    ///
    /// If the sender's key names an import of the last day, returns that one instead: as it is if it runs or is done,
    /// restarted under its own identifier if it failed.
    ///
    /// - Throws: `StoreError.idempotencyMismatch` if the key belongs to another request.
    func begin(_ entry: ImportEntry, by claim: WorkClaim) async throws -> ImportAdmission
    /// Stores a piece of the body under its number, counted from 0.
    ///
    /// - Throws: ``LeaseLost``.
    func keep(_ piece: [UInt8], number: Int, under lease: WorkLease) async throws
    /// Returns a piece of the body; `nil` after the last one, and for an import that has ended.
    func piece(_ number: Int, of id: String) async throws -> [UInt8]?
    /// Stores the progress of an import and the report of more rows. The report of a row goes when its record or
    /// account is deleted, and is not stored if it is already gone. The body goes when the import ends.
    ///
    /// - Throws: ``LeaseLost``.
    func update(_ entry: ImportEntry, listing rows: [ImportRow], under lease: WorkLease) async throws
    /// Returns an import; `nil` if there is none or it was removed.
    func entry(_ id: String) async throws -> ImportEntry?
    /// Returns the reports of an import's rows, in order.
    func rows(of id: String) async throws -> [ImportRow]
    /// Deletes the row reports of imports that ended at or before `moment`, and what is left of the bodies of ended
    /// imports.
    func forgetRows(endedBy moment: Timestamp) async throws
}
