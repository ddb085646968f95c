import GradingKit
import Records
import Shared

extension RecordStore {
    /// Carries out a change that rules decide: inside the store's transaction where they are computed on the spot.
    ///
    /// A scheme in a process of its own is never waited for there. It is asked about the record as it stands, and the
    /// transaction only makes sure that it still stands so; otherwise `StoreError.moved` is thrown, and the caller
    /// tries again. What the change throws is thrown inside the transaction too, behind its conditions, so that a
    /// repeated request gets the answer that was kept for it.
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
