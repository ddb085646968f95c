public import Shared

/// A change of the stored rows of bulk changes.
public enum BulkChangeRowChange: Sendable {
    /// Inserts a bulk change.
    case insert(BulkChangeJob)
    /// Updates the progress of a bulk change.
    case advance(String, BulkChangeProgress)
    /// Removes the lease on a bulk change.
    case release(String)
}

/// Plans the writes of bulk changes from what the store found.
public enum BulkChangePlans {
    /// Plans to store a bulk change with the answer to its request.
    ///
    /// - Parameter total: The number of records to visit.
    public static func order(
        _ job: BulkChangeJob, total: Int, audit: AuditEntry, keeping keep: (BulkChangeJob) -> KeptAnswer?
    ) -> WritePlan<BulkChangeRowChange, BulkChangeJob> {
        var job = job
        job.progress.total = total
        return WritePlan([.insert(job)], audit: [audit], kept: keep(job), value: job)
    }

    /// Plans to store the progress of a bulk change, and to remove its lease if it is finished.
    ///
    /// - Parameter stored: The lease as the store holds it.
    /// - Throws: ``LeaseLost`` if `stored` is not the lease given.
    public static func progress(
        to progress: BulkChangeProgress, under lease: WorkLease, stored: WorkLease?
    ) throws(LeaseLost) -> WritePlan<BulkChangeRowChange, Void> {
        try lease.check(stored)
        let end: [BulkChangeRowChange] = progress.finishedAt == nil ? [] : [.release(lease.work)]
        return WritePlan([.advance(lease.work, progress)] + end)
    }
}
