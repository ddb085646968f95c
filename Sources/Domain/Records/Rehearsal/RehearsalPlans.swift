public import Shared

/// A change of the stored rows of rehearsals.
public enum RehearsalRowChange: Sendable {
    /// Inserts a rehearsal.
    case insert(Rehearsal)
    /// Updates the state of a rehearsal.
    case update(Rehearsal)
    /// Removes the lease on a rehearsal.
    case release(String)
    /// Stores a compared record with its findings in the form of ``RehearsalFinding/rows``; `nil` if there are none.
    case note(ComparedRecord, rows: [UInt8]?, of: String)
    /// Removes a rehearsal; its findings are deleted later.
    case remove(String)
}

/// Plans the writes of rehearsals from what the store found.
public enum RehearsalPlans {
    /// The number of rehearsals kept for each program.
    public static let kept = 5
    /// The maximum number of open rehearsals in the whole store.
    public static let mostOpen = 64

    /// Plans to begin a rehearsal, to stop the program's running one and to remove its oldest ones. The value is
    /// `false` if too many are open.
    ///
    /// - Parameters:
    ///   - earlier: The program's rehearsals, newest first.
    ///   - open: The number of open rehearsals of all programs.
    public static func beginning(
        _ rehearsal: Rehearsal, besides earlier: [Rehearsal], open: Int, keeping kept: KeptAnswer?
    ) -> WritePlan<RehearsalRowChange, Bool> {
        guard open < mostOpen else { return WritePlan([], value: false) }
        let (left, forgotten) = (earlier.prefix(Self.kept - 1), earlier.dropFirst(Self.kept - 1))
        return WritePlan(
            [.insert(rehearsal)] + left.flatMap { stop($0) } + forgotten.map { .remove($0.id) }, kept: kept,
            value: true)
    }

    /// Plans to store the state of a rehearsal and the findings of more records. If a record was deleted since it was
    /// compared, only its version is stored.
    ///
    /// - Parameters:
    ///   - stored: The lease on the rehearsal as the store holds it.
    ///   - isGone: Returns whether a record was deleted.
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

    /// Plans to stop a running rehearsal or to remove one that has ended. The value is the rehearsal as it was left;
    /// `nil` if there is none.
    public static func cancellation(of rehearsal: Rehearsal?) -> WritePlan<RehearsalRowChange, Rehearsal?> {
        guard let rehearsal else { return WritePlan([], value: nil) }
        guard rehearsal.state == .running else { return WritePlan([.remove(rehearsal.id)], value: rehearsal) }
        return WritePlan(stop(rehearsal), value: rehearsal.cancelled)
    }

    /// Cancels a running rehearsal. Without its lease, its owner can store no further step.
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
