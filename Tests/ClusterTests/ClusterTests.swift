import ClusterModel
import Testing

/// The promises of several nodes over one database under delays, losses, partitions, pauses, crashes and clocks that
/// differ; and proof that each known mistake would be noticed. `make simulate` does the same many more times.
@Suite struct `A cluster in simulation` {
    private static func faults(_ seed: UInt64, _ mistake: Mistake? = nil) -> [String] {
        let cluster = Cluster(seed: seed, mistake: mistake)
        cluster.run()
        return cluster.faults
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `keeps its promises whatever happens in which order`(part: UInt64) {
        for seed in part * 6..<(part + 1) * 6 { #expect(Self.faults(seed) == [], "SEED=\(seed)") }
    }

    @Test func `is the same again under the same seed`() {
        #expect(Self.faults(7, .wakeUpsAlone) == Self.faults(7, .wakeUpsAlone))
    }

    /// Each with the promise that it breaks, and the first run in which that showed.
    @Test(arguments: [
        (Mistake.wakeUpsAlone, "convergence", 0), (.tellsBeforeCommit, "content", 0),
        (.documentBeforeVersion, "content", 1), (.numberBeforeLock, "once", 1), (.leaseWithoutToken, "once", 35),
        (.progressApart, "once", 6), (.cursorWithoutComparison, "once", 1), (.cursorApart, "once", 1),
        (.cacheNotDropped, "silence", 0), (.trustsForever, "silence", 1), (.logNotFollowed, "silence", 0),
        (.ownReadersLast, "silence", 39), (.keyApart, "once", 2), (.permitNotCompared, "silence", 2),
        (.sameEpochAfterRestore, "convergence", 12), (.acknowledgesEarly, "durability", 0),
    ])
    func `betrays a planted mistake`(mistake: Mistake, promise: String, first: UInt64) {
        let isFound = (first..<first + 200).contains { seed in
            Self.faults(seed, mistake).contains { $0.contains(promise) }
        }
        #expect(isFound)
    }
}
