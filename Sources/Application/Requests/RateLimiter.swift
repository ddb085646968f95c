public import Shared
import Synchronization

/// Token buckets, one for each key: so many a second, and a burst. While anything is left, a piece that costs more is let
/// through as well, and the bucket fills from below zero; otherwise what costs more than a burst could never be done.
public final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        /// When the bucket would be full again, microseconds.
        var fullAt: Int64
    }

    private let interval: Int64
    private let burst: Int64
    private let capacity: Int
    private let buckets = Mutex<[Key: Bucket]>([:])

    /// Full buckets.
    ///
    /// - Parameters:
    ///   - count: how many there may be in `seconds`.
    ///   - burst: how many at once.
    ///   - capacity: how many buckets are kept; at least 2.
    public init(_ count: Int, per seconds: Int, burst: Int, capacity: Int = 100_000) {
        interval = Int64(seconds) * 1_000_000 / Int64(max(count, 1))
        self.burst = Int64(burst)
        self.capacity = capacity
    }

    /// Takes `cost`, if there is one left; otherwise the whole seconds to wait.
    public func wait(for key: Key, at now: Timestamp, cost: Int = 1) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= capacity, buckets[key] == nil { Self.makeRoom(in: &buckets, at: now) }
            if let wait = wait(for: buckets[key], at: now) { return wait }
            let start = max(buckets[key]?.fullAt ?? 0, now.microseconds)
            buckets[key] = Bucket(fullAt: start + interval * Int64(max(cost, 1)))
            return nil
        }
    }

    /// The whole seconds to wait until anything is left; `nil` where something is. Takes nothing.
    public func look(for key: Key, at now: Timestamp) -> Int? {
        buckets.withLock { wait(for: $0[key], at: now) }
    }

    private func wait(for bucket: Bucket?, at now: Timestamp) -> Int? {
        let start = max(bucket?.fullAt ?? 0, now.microseconds)
        let excess = start + interval - now.microseconds - interval * burst
        return excess > 0 ? Int(excess / 1_000_000) + 1 : nil
    }

    /// Takes `cost` for work that is done already: what is taken beyond what is left delays the next.
    public func charge(_ key: Key, at now: Timestamp, cost: Int) {
        buckets.withLock { buckets in
            if buckets.count >= capacity, buckets[key] == nil { Self.makeRoom(in: &buckets, at: now) }
            let start = max(buckets[key]?.fullAt ?? 0, now.microseconds)
            buckets[key] = Bucket(fullAt: start + interval * Int64(max(cost, 0)))
        }
    }

    /// Forgets the buckets that are full, and of the others the half that will be full first: so the next look comes only
    /// after many new keys, and the buckets from which most was taken are kept longest.
    private static func makeRoom(in buckets: inout [Key: Bucket], at now: Timestamp) {
        let moments = buckets.values.map(\.fullAt).sorted()
        let middle = moments[moments.count / 2]
        buckets = buckets.filter { $0.value.fullAt > max(middle, now.microseconds) }
    }
}
