public import Shared

/// What goes on beside requests, each piece of it carried out by one process at a time.
public enum WorkKind: Sendable, CaseIterable {
    /// Imports of results.
    case imports
    /// Rehearsals of drafts and of executables.
    case rehearsals
    /// Changes of many records.
    case bulkChanges
}

/// A process's claim on work that it is about to carry out.
public struct WorkClaim: Sendable, Equatable {
    /// Names the process among those that share the store.
    public let owner: String
    /// Names this claim among all: what was claimed again since has another token.
    public let token: String
    /// When it is made.
    public let at: Timestamp

    /// A claim; its token must be a new one.
    public init(owner: String, token: String, at moment: Timestamp) {
        self.owner = owner
        self.token = token
        at = moment
    }

    /// The lease that it gives on a piece of work.
    public func lease(on work: String, _ kind: WorkKind) -> WorkLease {
        WorkLease(
            kind: kind, work: work, owner: owner, token: token, endsAt: at.adding(seconds: WorkLease.duration))
    }
}

/// The right to carry out one piece of work until a moment. Its owner renews it while it works, and every step that it
/// stores names the lease: a process that was paused past the end of its lease stores nothing more.
public struct WorkLease: Sendable, Equatable {
    /// For how long a lease holds unless it is renewed, in seconds: the longest that work waits when its owner has died.
    public static let duration: Int64 = 30
    /// By how much the clocks of processes over one store may differ, in seconds. A lease that holds longer than that beyond
    /// its duration was given by a clock that is wrong, or was set back since, and counts as ended.
    public static let clockTolerance: Int64 = 30

    /// What kind of work.
    public let kind: WorkKind
    /// The work's identifier among those of its kind.
    public let work: String
    /// The process that carries it out.
    public let owner: String
    /// Names the claim that the lease came from.
    public let token: String
    /// When another process may claim the work.
    public let endsAt: Timestamp

    /// A lease as it is stored.
    public init(kind: WorkKind, work: String, owner: String, token: String, endsAt: Timestamp) {
        self.kind = kind
        self.work = work
        self.owner = owner
        self.token = token
        self.endsAt = endsAt
    }

    /// The ends of the leases that hold at a moment.
    public static func ends(holdingAt now: Timestamp) -> ClosedRange<Timestamp> {
        Timestamp(microseconds: now.microseconds &+ 1)...now.adding(seconds: duration + clockTolerance)
    }

    /// The same lease, from now on for its whole duration.
    public func renewed(at now: Timestamp) -> WorkLease {
        WorkLease(
            kind: kind, work: work, owner: owner, token: token, endsAt: now.adding(seconds: Self.duration))
    }

    /// Lets a step of the work through.
    ///
    /// - Parameter stored: the lease on the work as it is stored; `nil` for none, and for work that is gone.
    /// - Throws: ``LeaseLost`` when it is another one.
    public func check(_ stored: WorkLease?) throws(LeaseLost) {
        guard stored?.token == token else { throw LeaseLost() }
    }
}

/// The work is stopped, gone, or carried out by another process: what this one wanted to store of it was not stored.
public struct LeaseLost: Error, Equatable {
    /// The error.
    public init() {}
}

/// Who carries out what goes on beside requests.
public protocol LeaseStore: Sendable {
    /// Claims the oldest work of a kind that is to be done and that no lease holds; `nil` when there is none.
    ///
    /// Of two claims at once one gets the work. Which leases hold says ``WorkLease/ends(holdingAt:)``.
    func claim(_ kind: WorkKind, by claim: WorkClaim) async throws -> WorkLease?
    /// Renews a lease, even one that has ended, as long as no other process claimed the work.
    ///
    /// - Throws: ``LeaseLost``.
    func renew(_ lease: WorkLease, at now: Timestamp) async throws
    /// Gives work back, so that it can be claimed at once; a lease that was lost changes nothing.
    func release(_ lease: WorkLease) async throws
}
