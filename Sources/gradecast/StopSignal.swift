import Glibc
import Synchronization

/// A flag that is only ever set.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}

/// SIGTERM and SIGINT, waited for by a thread of their own.
enum StopSignal {
    /// Keeps them from this thread and those that it makes.
    static func block() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        return set
    }

    /// Returns when one of them comes.
    static func wait() async {
        await withCheckedContinuation { continuation in
            Thread.start {
                var signals = signals
                var received: Int32 = 0
                while sigwait(&signals, &received) != 0 {}
                continuation.resume()
            }
        }
    }
}

/// A thread that does one thing.
enum Thread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread; without threads to be had, the work is done at once.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                // The one retain made above is taken over here.
                Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard result == 0 else { return work.takeRetainedValue().body() }
        pthread_detach(thread)
    }
}
