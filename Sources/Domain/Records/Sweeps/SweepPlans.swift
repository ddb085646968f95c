public import Shared

/// A change of the rows that bulk changes are kept in.
public enum SweepRowChange: Sendable {
    /// A bulk change that is ordered.
    case insert(BulkChangeJob)
    /// How far one is.
    case advance(String, SweepProgress)
}

/// The rules of ordering bulk changes, over what a store has found.
public enum SweepPlans {
    /// An ordered bulk change, with the answer to its request.
    ///
    /// - Parameter total: how many records it is to look at.
    public static func order(
        _ job: BulkChangeJob, total: Int, audit: AuditEntry, keeping keep: (BulkChangeJob) -> KeptAnswer?
    ) -> WritePlan<SweepRowChange, BulkChangeJob> {
        var job = job
        job.progress.total = total
        return WritePlan([.insert(job)], audit: [audit], kept: keep(job), value: job)
    }

    /// How far a bulk change is from now on.
    public static func advance(_ job: String, to progress: SweepProgress) -> WritePlan<SweepRowChange, Void> {
        WritePlan([.advance(job, progress)])
    }
}
