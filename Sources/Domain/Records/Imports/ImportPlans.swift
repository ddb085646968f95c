public import Shared

/// A change of the rows that imports are remembered in.
public enum ImportRowChange: Sendable {
    /// An import that begins.
    case insert(ImportEntry)
    /// How far an import is.
    case update(ImportEntry)
    /// What is listed of a row of an import, in place of what was.
    case list(ImportRow, of: String)
    /// Nothing is listed of an import's rows any more.
    case forgetRows(of: String)
    /// An import is forgotten, with what is listed of its rows.
    case remove(String)
}

/// The rules of remembering imports, over what a store has found.
public enum ImportPlans {
    /// Imports that are remembered.
    public static let kept = 1_000
    /// For how long after its end an import's rows are listed, in seconds: one day.
    public static let listed: Int64 = 86_400

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
        return WritePlan([.update(again), .forgetRows(of: again.id)], value: .begun(again))
    }

    /// How far an import is, with more of its rows. A record or an account may have gone since its row was dealt with.
    ///
    /// - Parameter isGone: whether the record or the account is gone that a row is about.
    public static func progress(
        of entry: ImportEntry, listing rows: [ImportRow], isGone: (ImportRow) throws -> Bool
    ) rethrows -> WritePlan<ImportRowChange, Void> {
        WritePlan([.update(entry)] + (try rows.filter { try !isGone($0) }).map { .list($0, of: entry.id) })
    }
}
