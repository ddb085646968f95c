public import Shared

/// A change of the rows that bulk changes are kept in.
public enum BulkChangeRowChange: Sendable {
    /// A bulk change that is ordered.
    case insert(BulkChangeJob)
    /// How far one is.
    case advance(String, BulkChangeProgress)
    /// No lease holds one any more.
    case release(String)
}

/// The rules of ordering bulk changes, over what a store has found.
public enum BulkChangePlans {
    /// An ordered bulk change, with the answer to its request.
    ///
    /// - Parameter total: how many records it is to look at.
    public static func order(
        _ job: BulkChangeJob, total: Int, audit: AuditEntry, keeping keep: (BulkChangeJob) -> KeptAnswer?
    ) -> WritePlan<BulkChangeRowChange, BulkChangeJob> {
        var job = job
        job.progress.total = total
        return WritePlan([.insert(job)], audit: [audit], kept: keep(job), value: job)
    }

    /// How far a bulk change is from now on.
    ///
    /// - Parameter stored: the lease on it as it is stored.
    public static func progress(
        to progress: BulkChangeProgress, under lease: WorkLease, stored: WorkLease?
    ) throws(LeaseLost) -> WritePlan<BulkChangeRowChange, Void> {
        try lease.check(stored)
        let end: [BulkChangeRowChange] = progress.finishedAt == nil ? [] : [.release(lease.work)]
        return WritePlan([.advance(lease.work, progress)] + end)
    }
}
