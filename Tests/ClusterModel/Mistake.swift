/// A mistake that is planted in the cluster, to show that a simulation finds it.
package enum Mistake: String, CaseIterable, Sendable {
    /// Nobody compares versions: what a lost wake-up would have told stays unknown.
    case wakeUpsAlone
    /// Readers are told of a change before its commit, which may fail.
    case tellsBeforeCommit
    /// A document is read before the version that it is sent with.
    case documentBeforeVersion
    /// A change takes its number before it takes the lock, and the follower's cursor is that number alone.
    case numberBeforeLock
    /// A step of background work is stored without a look at the lease.
    case leaseWithoutToken
    /// The effect of a step and the note that it is done are stored one after the other.
    case progressApart
    /// A projector stores effects without a look at where the cursor is.
    case cursorWithoutComparison
    /// A projector moves its cursor first, and stores the effects afterwards.
    case cursorApart
    /// What the log says of rights does not invalidate what is kept in memory.
    case cacheNotDropped
    /// A node that has lost the log goes on sending what it has.
    case trustsForever
    /// Other nodes learn of lost rights by wake-ups alone.
    case logNotFollowed
    /// The revoking call returns before the node's own readers are told.
    case ownReadersLast
    /// The answer under a key is stored after the change that it answers.
    case keyApart
    /// A write goes by a permission in memory and does not compare it with the stored one.
    case permitNotCompared
    /// A restored store keeps its epoch.
    case sameEpochAfterRestore
    /// A client is answered before the commit, as if it could not fail.
    case acknowledgesEarly
}
