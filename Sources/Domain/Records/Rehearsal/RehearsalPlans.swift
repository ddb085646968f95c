public import Shared

/// A change of the rows that rehearsals are kept in.
public enum RehearsalRowChange: Sendable {
    /// A rehearsal that begins.
    case insert(Rehearsal)
    /// How a rehearsal stands.
    case update(Rehearsal)
    /// What was found in a record, in place of what was found there before.
    case note(RehearsedRecord, of: String)
    /// A rehearsal is forgotten, with what it found.
    case remove(String)
}

/// The rules of keeping rehearsals, over what a store has found.
public enum RehearsalPlans {
    /// Rehearsals kept of one program.
    public static let kept = 5

    /// A rehearsal that begins, in place of the program's oldest ones.
    ///
    /// - Parameter earlier: the program's rehearsals, newest first.
    public static func beginning(
        _ rehearsal: Rehearsal, besides earlier: [String]
    ) -> WritePlan<RehearsalRowChange, Void> {
        WritePlan([.insert(rehearsal)] + earlier.dropFirst(kept - 1).map { .remove($0) })
    }
}
