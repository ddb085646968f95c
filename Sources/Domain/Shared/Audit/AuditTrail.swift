/// The audit trails of everything but the records' content: one for each institution, and the server's own. Rows are
/// only ever appended.
public protocol AuditTrail: Sendable {
    /// Appends a row without another change, for example for staff reading a record or a refused sign-in.
    ///
    /// - Throws: ``StoreError/full``, ``StoreError/unavailable(_:)``.
    func append(_ entry: AuditEntry) async throws
    /// Appends a row, unless the same account did the same to the same subject in the same hour of the clock, through
    /// any process; returns whether it was appended.
    ///
    /// - Throws: ``StoreError/full``, ``StoreError/unavailable(_:)``.
    func appendHourly(_ entry: AuditEntry) async throws -> Bool
}
