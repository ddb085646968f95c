public import Shared

/// A change of the rows that rehearsals are kept in.
public enum RehearsalRowChange: Sendable {
    /// A rehearsal that begins.
    case insert(Rehearsal)
    /// How a rehearsal stands.
    case update(Rehearsal)
    /// The version of a record that was compared, and what was found, in the form of ``RehearsalFinding/rows``; `nil` for
    /// nothing to tell.
    case note(RecordVersion, rows: [UInt8]?, of: String)
    /// A rehearsal is forgotten, with what it found.
    case remove(String)
}

/// The rules of keeping rehearsals, over what a store has found.
public enum RehearsalPlans {
    /// Rehearsals kept of one program.
    public static let kept = 5

    /// Starts a rehearsal and drops the program's oldest ones.
    ///
    /// - Parameter earlier: the program's rehearsals, newest first.
    public static func beginning(
        _ rehearsal: Rehearsal, besides earlier: [String]
    ) -> WritePlan<RehearsalRowChange, Void> {
        WritePlan([.insert(rehearsal)] + earlier.dropFirst(kept - 1).map { .remove($0) })
    }

    /// What was found in some records. A record may have gone since it was compared: of that the version alone is kept.
    ///
    /// - Parameter isGone: whether a record is gone.
    public static func finding(
        _ records: [RehearsedRecord], in rehearsal: String, isGone: (RecordID) throws -> Bool
    ) rethrows -> WritePlan<RehearsalRowChange, Void> {
        WritePlan(
            try records.map { found in
                let isTold = try found.isNoteworthy && !isGone(found.record)
                return .note(
                    RecordVersion(record: found.record, version: found.version), rows: isTold ? found.rows : nil,
                    of: rehearsal)
            })
    }
}
