/// The trail of everything but the records' content: one an institution, one of the server; only ever appended to.
public protocol AuditTrail: Sendable {
    /// Appends a line by itself, for what changes nothing: staff reading a record, a refused sign-in.
    ///
    /// - Throws: ``StoreError/full``, ``StoreError/unavailable(_:)``.
    func append(_ entry: AuditEntry) async throws
    /// Appends a line unless the same account did the same to the same subject within the same hour of the clock, whichever
    /// process wrote that; whether it was appended.
    ///
    /// - Throws: ``StoreError/full``, ``StoreError/unavailable(_:)``.
    func appendHourly(_ entry: AuditEntry) async throws -> Bool
}
