import GradingKit
import Records
import Shared

extension RecordStore {
    /// Carries out a change that depends on rules: inside the store's transaction if they are computed in this process.
    ///
    /// The transaction never waits for a scheme in its own process. Such a scheme computes the change from a snapshot
    /// first, and the transaction only checks that the record has not changed; otherwise it throws `StoreError.moved`,
    /// and the caller tries again. An error of the change is also thrown inside the transaction, after its conditions,
    /// so that a repeated request gets its stored answer.
    func amend(
        _ id: RecordID, under rules: Rulebook, by context: WriteContext,
        _ change: @escaping @Sendable (RecordSnapshot) throws -> Amendment
    ) async throws -> WriteOutcome {
        if rules.isImmediate { return try await amend(id, by: context, change) }
        guard let snapshot = try await snapshot(of: id) else { throw StoreError.notFound }
        let prepared = try await rules.perform { Result { try change(snapshot) } }
        return try await amend(id, by: context) { current in
            guard current.fullVersion == snapshot.fullVersion, current.head == snapshot.head else {
                throw StoreError.moved
            }
            return try prepared.get()
        }
    }
}
