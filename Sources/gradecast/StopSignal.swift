import Glibc
import Synchronization

/// A flag that is only ever set.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}

/// Delivers SIGTERM, SIGINT and SIGHUP. The main thread waits for them; everything else runs on other threads.
///
/// The main thread must not be left to the runtime, which would let it sleep with all signals unblocked.
final class StopSignal: Sendable {
    private enum State {
        case quiet
        case awaited(CheckedContinuation<Void, Never>)
        case raised
    }

    private let state = Mutex(State.quiet)
    private let endsAtOnce = Flag()
    private let hangup = Mutex<(@Sendable () -> Void)?>(nil)

    /// Blocks the signals in this thread and in those that it starts.
    init() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGHUP)
        return set
    }

    /// Waits for signals forever; the second one ends the process at once.
    func deliver() -> Never {
        var signals = Self.signals
        var isRaised = false
        while true {
            var received: Int32 = 0
            guard sigwait(&signals, &received) == 0 else { continue }
            if received == SIGHUP, let action = hangup.withLock({ $0 }) {
                action()
                continue
            }
            if isRaised { _exit(1) }
            if endsAtOnce.isSet { _exit(128 + received) }
            isRaised = true
            raise()
        }
    }

    /// Lets the first signal end the process at once, for a command that leaves nothing half done.
    func endAtOnce() { endsAtOnce.set() }

    /// Runs `action` at every SIGHUP from now on, on the main thread. Without an action, SIGHUP stops the program like
    /// the others.
    func onHangup(_ action: @escaping @Sendable () -> Void) { hangup.withLock { $0 = action } }

    /// Stops the program as a signal would.
    func raise() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .raised }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume()
    }

    /// Returns when one of the signals has come.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = state.withLock { state in
                if case .raised = state { return true }
                state = .awaited(continuation)
                return false
            }
            if isRaised { continuation.resume() }
        }
    }
}
