import Glibc
import Synchronization
import TestKit

/// Something that happens once, and that others wait for.
final class Signal: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Void, Never>])
        case given
    }

    private let state = Mutex(State.waiting([]))

    func give() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            defer { state = .given }
            if case .waiting(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isGiven = state.withLock { state in
                guard case .waiting(let waiting) = state else { return true }
                state = .waiting(waiting + [continuation])
                return false
            }
            if isGiven { continuation.resume() }
        }
    }
}

extension Signal {
    /// Waits on a thread that may block; gives up after two minutes, for the machine may be busy.
    func waitBlocking() throws {
        for _ in 0..<120_000 {
            if isGiven { return }
            usleep(1000)
        }
        throw Client.Timeout()
    }

    private var isGiven: Bool {
        state.withLock { state in
            if case .given = state { true } else { false }
        }
    }
}

/// Keeps clients over the end of a test's first part.
final class Clients: Sendable {
    private let kept = Mutex<[Client]>([])

    var first: Client? { kept.withLock { $0.first } }
    var all: [Client] { kept.withLock { $0 } }

    func keep(_ client: Client) { kept.withLock { $0.append(client) } }
}
