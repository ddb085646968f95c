public import Shared

/// The store of proofs.
public protocol ProofStore: Sendable {
    /// Stores an audit row on its own.
    func append(_ entry: AuditEntry) async throws

    /// Returns when a session's owner last proved their identity, as far as is known, including by signing in; `nil` if
    /// there is no such session.
    func lastProof(of session: SessionID) async throws -> Timestamp?

    /// Stores that a session's owner proved their identity and showed some factors; uses up the assertion that proved
    /// it.
    ///
    /// - Throws: `StoreError.notFound` if there is no such session; for an assertion, `.taken(field: "digest")` if it
    ///   was used before, and `.moved` if its person is not linked with the account.
    func prove(
        _ session: SessionID, of id: AccountID, at: Timestamp, showing factors: ShownFactors, by assertion: Assertion?,
        audit: AuditEntry
    ) async throws
}
