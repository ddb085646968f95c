import Storage
import Synchronization

/// Token buckets, one a key: so many a second, and a burst. What costs more than is left is let through all the same while
/// anything is left, and the bucket fills from below zero: otherwise nobody could do what costs more than a burst.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        /// When the bucket would be full again, microseconds.
        var fullAt: Int64
    }

    private let interval: Int64
    private let burst: Int64
    private let capacity = 100_000
    private let buckets = Mutex<[Key: Bucket]>([:])

    /// - Parameters:
    ///   - count: how many there may be in `seconds`.
    ///   - burst: how many at once.
    init(_ count: Int, per seconds: Int, burst: Int) {
        interval = Int64(seconds) * 1_000_000 / Int64(max(count, 1))
        self.burst = Int64(burst)
    }

    /// Takes `cost`, if there is one left; otherwise the whole seconds to wait.
    func wait(for key: Key, at now: Instant, cost: Int = 1) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= capacity { buckets = buckets.filter { $0.value.fullAt > now.microseconds } }
            // With every bucket still in use, newcomers share the last one rather than the memory of the machine.
            var bucket = buckets[key] ?? Bucket(fullAt: now.microseconds)
            let start = max(bucket.fullAt, now.microseconds)
            guard start + interval - now.microseconds <= interval * burst else {
                return Int((start + interval - now.microseconds - interval * burst) / 1_000_000) + 1
            }
            bucket.fullAt = start + interval * Int64(max(cost, 1))
            if buckets.count < capacity || buckets[key] != nil { buckets[key] = bucket }
            return nil
        }
    }
}
