/// A line of the audit trail in its place.
public struct AuditLine: Sendable, Equatable {
    /// Its number in its trail, from 1, without gaps.
    public let number: Int
    /// What it says; the detail is `nil` when there was none or it was erased.
    public let entry: AuditEntry

    /// A line in its place.
    public init(number: Int, entry: AuditEntry) {
        self.number = number
        self.entry = entry
    }
}

/// The trail of everything but the records' content: one an institution, one of the server; only ever appended to.
public protocol AuditTrail: Sendable {
    /// Appends a line by itself. What is done in a transaction of its own is recorded inside that transaction.
    ///
    /// - Throws: ``StoreError/full``, ``StoreError/unavailable(_:)``.
    func append(_ entry: AuditEntry) async throws

    /// Lines of an institution's trail, or of the server's for `nil`, newest first, below number `before`.
    func lines(of institution: InstitutionID?, before number: Int?, limit: Int) async throws -> [AuditLine]
}
