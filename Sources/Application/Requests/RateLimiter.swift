public import Shared
import Synchronization

/// Token buckets, one for each key, with a rate and a burst. A piece may cost more than is left, as long as anything is
/// left; the bucket then refills from below zero. Otherwise work that costs more than a burst could never run.
public final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        /// The time at which the bucket will be full, in microseconds.
        var fullAt: Int64
    }

    private let interval: Int64
    private let burst: Int64
    private let capacity: Int
    private let buckets = Mutex<[Key: Bucket]>([:])

    /// Creates full buckets.
    ///
    /// - Parameters:
    ///   - count: number of tokens refilled in `seconds`.
    ///   - burst: number of tokens in a full bucket.
    ///   - capacity: number of buckets kept; at least 2.
    public init(_ count: Int, per seconds: Int, burst: Int, capacity: Int = 100_000) {
        interval = Int64(seconds) * 1_000_000 / Int64(max(count, 1))
        self.burst = Int64(burst)
        self.capacity = capacity
    }

    /// Takes `cost` tokens if any are left; otherwise returns the whole seconds to wait.
    public func wait(for key: Key, at now: Timestamp, cost: Int = 1) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= capacity, buckets[key] == nil { Self.makeRoom(in: &buckets, at: now) }
            if let wait = wait(for: buckets[key], at: now) { return wait }
            let start = max(buckets[key]?.fullAt ?? 0, now.microseconds)
            buckets[key] = Bucket(fullAt: start + interval * Int64(max(cost, 1)))
            return nil
        }
    }

    /// Returns the whole seconds to wait until a token is left; `nil` if one is left now. Takes nothing.
    public func look(for key: Key, at now: Timestamp) -> Int? {
        buckets.withLock { wait(for: $0[key], at: now) }
    }

    private func wait(for bucket: Bucket?, at now: Timestamp) -> Int? {
        let start = max(bucket?.fullAt ?? 0, now.microseconds)
        let excess = start + interval - now.microseconds - interval * burst
        return excess > 0 ? Int(excess / 1_000_000) + 1 : nil
    }

    /// Takes `cost` tokens for work that is already done. Taking more than is left delays the key's next piece.
    public func charge(_ key: Key, at now: Timestamp, cost: Int) {
        buckets.withLock { buckets in
            if buckets.count >= capacity, buckets[key] == nil { Self.makeRoom(in: &buckets, at: now) }
            let start = max(buckets[key]?.fullAt ?? 0, now.microseconds)
            buckets[key] = Bucket(fullAt: start + interval * Int64(max(cost, 0)))
        }
    }

    /// Removes full buckets, and of the others the half that will be full first. It therefore runs only once per many
    /// new keys, and the most depleted buckets are kept longest.
    private static func makeRoom(in buckets: inout [Key: Bucket], at now: Timestamp) {
        let moments = buckets.values.map(\.fullAt).sorted()
        let middle = moments[moments.count / 2]
        buckets = buckets.filter { $0.value.fullAt > max(middle, now.microseconds) }
    }
}
