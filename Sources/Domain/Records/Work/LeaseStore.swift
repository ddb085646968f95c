public import Shared

/// The store of leases on background work.
public protocol LeaseStore: Sendable {
    /// Claims the oldest due work of a kind that no lease holds; `nil` if there is none.
    ///
    /// Of two simultaneous claims, one gets the work. ``WorkLease/ends(holdingAt:)`` says which leases hold.
    func claim(_ kind: WorkKind, by claim: WorkClaim) async throws -> WorkLease?
    /// Renews a lease, even one that has ended, unless another process has claimed the work.
    ///
    /// - Throws: ``LeaseLost``.
    func renew(_ lease: WorkLease, at now: Timestamp) async throws
    /// Ends a lease, so that the work can be claimed at once; has no effect on a lease that was lost.
    func release(_ lease: WorkLease) async throws
    /// Returns how much due work of a kind is not finished, and since when the oldest of it has been due. Of work that
    /// waited for a day to begin somewhere, that moment may be up to a day late, never early.
    func openWork(of kind: WorkKind, at now: Timestamp) async throws -> (count: Int, since: Timestamp?)
}
