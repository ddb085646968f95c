import Glibc
import Synchronization

/// The proof that `tsan.supp` hides a blind spot and no race: two threads count under a lock. ThreadSanitizer reports
/// the one under `Synchronization.Mutex` (argument `Mutex`) and not the one under `pthread_mutex_t` (argument `pthread`).
@main
struct Proof {
    static func main() {
        let usesMutex = CommandLine.arguments.last == "Mutex"
        var threads: [pthread_t] = []
        let counter = Unmanaged.passRetained(Counter(usesMutex: usesMutex))
        for _ in 0..<2 {
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { pointer in
                    guard let pointer else { return nil }
                    let counter = Unmanaged<Counter>.fromOpaque(pointer).takeUnretainedValue()
                    // Together and long enough to meet at the lock again and again: only a lock that is held is taken in
                    // the runtime, out of ThreadSanitizer's sight.
                    pthread_barrier_wait(counter.both)
                    for _ in 0..<300_000 { counter.add() }
                    pthread_barrier_wait(counter.both)
                    return nil
                }, counter.toOpaque())
            threads.append(thread)
        }
        for thread in threads { pthread_join(thread, nil) }
        print(counter.takeRetainedValue().total)
    }
}

/// A count under the one lock or the other.
private final class Counter: @unchecked Sendable {
    // Unchecked, as the point is to show what ThreadSanitizer says of it; every access is under the chosen lock.
    private let usesMutex: Bool
    private let mutex = Mutex([0])
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var plain = [0]
    /// Where the two wait for each other.
    let both: UnsafeMutablePointer<pthread_barrier_t>

    init(usesMutex: Bool) {
        self.usesMutex = usesMutex
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        both = .allocate(capacity: 1)
        pthread_barrier_init(both, nil, 2)
    }

    deinit {
        lock.deallocate()
        both.deallocate()
    }

    struct Full: Error {}

    var total: Int { usesMutex ? mutex.withLock { $0[0] } : plain[0] }

    func add() {
        if usesMutex {
            // A body that may throw has another signature.
            try? mutex.withLock { counts throws(Full) in
                guard counts[0] < .max else { throw Full() }
                counts[0] += 1
            }
            return mutex.withLock { $0[0] += 1 }
        }
        pthread_mutex_lock(lock)
        plain[0] += 1
        pthread_mutex_unlock(lock)
    }
}
