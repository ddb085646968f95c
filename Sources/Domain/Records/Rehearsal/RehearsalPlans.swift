public import Shared

/// A change of the rows that rehearsals are kept in.
public enum RehearsalRowChange: Sendable {
    /// A rehearsal that begins.
    case insert(Rehearsal)
    /// How a rehearsal stands.
    case update(Rehearsal)
    /// No lease holds a rehearsal any more.
    case release(String)
    /// A record that was compared, and what was found, in the form of ``RehearsalFinding/rows``; `nil` for nothing to
    /// tell.
    case note(ComparedRecord, rows: [UInt8]?, of: String)
    /// A rehearsal is forgotten; what it found is deleted later.
    case remove(String)
}

/// The rules of keeping rehearsals, over what a store has found.
public enum RehearsalPlans {
    /// Rehearsals kept of one program.
    public static let kept = 5
    /// The most rehearsals that are under way at once, or wait to be, in the whole store.
    public static let mostOpen = 64

    /// Starts a rehearsal in place of the program's one under way and of its oldest ones; `false` when too many are under
    /// way.
    ///
    /// - Parameters:
    ///   - earlier: the program's rehearsals, newest first.
    ///   - open: how many of all programs are under way.
    public static func beginning(
        _ rehearsal: Rehearsal, besides earlier: [Rehearsal], open: Int, keeping kept: KeptAnswer?
    ) -> WritePlan<RehearsalRowChange, Bool> {
        guard open < mostOpen else { return WritePlan([], value: false) }
        let (left, forgotten) = (earlier.prefix(Self.kept - 1), earlier.dropFirst(Self.kept - 1))
        return WritePlan(
            [.insert(rehearsal)] + left.flatMap { stop($0) } + forgotten.map { .remove($0.id) }, kept: kept,
            value: true)
    }

    /// How a rehearsal stands, with what was found in more records. A record may have gone since it was compared: of that
    /// the version alone is kept.
    ///
    /// - Parameters:
    ///   - stored: the lease on the rehearsal as it is stored.
    ///   - isGone: whether a record is gone.
    public static func progress(
        of rehearsal: Rehearsal, finding records: [RehearsedRecord], under lease: WorkLease, stored: WorkLease?,
        isGone: (RecordID) throws -> Bool
    ) throws -> WritePlan<RehearsalRowChange, Void> {
        try lease.check(stored)
        let notes = try records.map { found -> RehearsalRowChange in
            let isTold = try found.isNoteworthy && !isGone(found.record)
            return .note(found.compared, rows: isTold ? found.rows : nil, of: rehearsal.id)
        }
        let end: [RehearsalRowChange] = rehearsal.state == .running ? [] : [.release(rehearsal.id)]
        return WritePlan([.update(rehearsal)] + notes + end)
    }

    /// The end of a rehearsal that its reader does not want: one that is under way is stopped, one that has ended is
    /// forgotten. The answer is how it was left.
    public static func cancellation(of rehearsal: Rehearsal?) -> WritePlan<RehearsalRowChange, Rehearsal?> {
        guard let rehearsal else { return WritePlan([], value: nil) }
        guard rehearsal.state == .running else { return WritePlan([.remove(rehearsal.id)], value: rehearsal) }
        return WritePlan(stop(rehearsal), value: rehearsal.cancelled)
    }

    /// Its owner stores no further step, since its lease is gone.
    private static func stop(_ rehearsal: Rehearsal) -> [RehearsalRowChange] {
        rehearsal.state == .running ? [.update(rehearsal.cancelled), .release(rehearsal.id)] : []
    }
}

extension Rehearsal {
    fileprivate var cancelled: Rehearsal {
        var cancelled = self
        cancelled.state = .cancelled
        return cancelled
    }
}
