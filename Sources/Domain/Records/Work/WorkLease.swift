public import Shared

/// A kind of background work. One process at a time carries out each piece of it.
public enum WorkKind: Sendable, CaseIterable {
    /// Imports of results.
    case imports
    /// Rehearsals of drafts and of executables.
    case rehearsals
    /// Bulk changes of records.
    case bulkChanges
}

/// A process's claim on the next piece of work.
public struct WorkClaim: Sendable, Equatable {
    /// The name of the process, unique among those that share the store.
    public let owner: String
    /// The token of this claim; a later claim on the same work has another one.
    public let token: String
    /// When the claim is made.
    public let at: Timestamp

    /// Creates a claim; its token must never have been used.
    public init(owner: String, token: String, at moment: Timestamp) {
        self.owner = owner
        self.token = token
        at = moment
    }

    /// Returns the lease that the claim gives on a piece of work.
    public func lease(on work: String, _ kind: WorkKind) -> WorkLease {
        WorkLease(
            kind: kind, work: work, owner: owner, token: token, endsAt: at.adding(seconds: WorkLease.duration))
    }
}

/// The right to carry out one piece of work until a moment. Its owner renews it while it works and passes it with every
/// step it stores, so that a process that was paused beyond the end of its lease can store nothing more.
public struct WorkLease: Sendable, Equatable {
    /// The time that a lease lasts unless it is renewed, in seconds: the longest that work waits after its owner has
    /// died.
    public static let duration: Int64 = 30
    /// The accepted difference between the clocks of processes that share a store, in seconds. A lease that would last
    /// longer than its duration and this tolerance came from a wrong clock, or a clock was set back; it counts as
    /// ended.
    public static let clockTolerance: Int64 = 30

    /// The kind of work.
    public let kind: WorkKind
    /// The identifier of the work, unique within its kind.
    public let work: String
    /// The process that carries out the work.
    public let owner: String
    /// The token of the claim that the lease came from.
    public let token: String
    /// The moment from which another process may claim the work.
    public let endsAt: Timestamp

    /// Creates a lease as it is stored.
    public init(kind: WorkKind, work: String, owner: String, token: String, endsAt: Timestamp) {
        self.kind = kind
        self.work = work
        self.owner = owner
        self.token = token
        self.endsAt = endsAt
    }

    /// Returns the range of `endsAt` for leases that hold at a moment.
    public static func ends(holdingAt now: Timestamp) -> ClosedRange<Timestamp> {
        Timestamp(microseconds: now.microseconds &+ 1)...now.adding(seconds: duration + clockTolerance)
    }

    /// Returns the same lease with its whole duration from a moment.
    public func renewed(at now: Timestamp) -> WorkLease {
        WorkLease(
            kind: kind, work: work, owner: owner, token: token, endsAt: now.adding(seconds: Self.duration))
    }

    /// Checks that the work is still leased to this claim.
    ///
    /// - Parameter stored: The lease on the work as the store holds it; `nil` if there is none or the work is gone.
    /// - Throws: ``LeaseLost`` if it has another token.
    public func check(_ stored: WorkLease?) throws(LeaseLost) {
        guard stored?.token == token else { throw LeaseLost() }
    }
}

/// The error if the work was stopped, removed, or claimed by another process. The step was not stored.
public struct LeaseLost: Error, Equatable {
    /// Creates the error.
    public init() {}
}
