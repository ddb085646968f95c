public import Shared

/// A change of the rows that imports are remembered in.
public enum ImportRowChange: Sendable {
    /// An import that begins.
    case insert(ImportEntry)
    /// How far an import is.
    case update(ImportEntry)
    /// An import is forgotten.
    case remove(String)
}

/// The rules of remembering imports, over what a store has found.
public enum ImportPlans {
    /// Imports that are remembered.
    public static let kept = 1_000

    /// What becomes of an import that is sent.
    ///
    /// - Parameters:
    ///   - known: the newest import under the sender's key, however old.
    ///   - oldest: those that are forgotten when one more is remembered.
    public static func admission(
        of entry: ImportEntry, known: ImportEntry?, forgetting oldest: [String]
    ) throws(StoreError) -> WritePlan<ImportRowChange, ImportAdmission> {
        guard let key = entry.key, let known, known.startedAt > IdempotencyKey.horizon(at: entry.startedAt) else {
            return WritePlan([.insert(entry)] + oldest.map { .remove($0) }, value: .begun(entry))
        }
        guard known.key?.digest == key.digest else { throw .idempotencyMismatch }
        guard known.state == .failed else { return WritePlan([], value: .known(known)) }
        let again = known.begunAgain()
        return WritePlan([.update(again)], value: .begun(again))
    }
}
