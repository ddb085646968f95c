import Synchronization
import TestKit

/// Something that happens once, and that others wait for.
final class Signal: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Void, Never>])
        case given
    }

    private let state = Mutex(State.waiting([]))
    /// Open once it has happened, for threads that may block.
    private let gate = Gate()

    func give() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            defer { state = .given }
            if case .waiting(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
        gate.open()
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

    /// Waits on a thread that may block; gives up in the end, for the machine may be busy.
    func waitBlocking() throws {
        guard gate.passInTime() else { throw Client.Timeout() }
    }
}

/// Keeps clients over the end of a test's first part.
final class Clients: Sendable {
    private let kept = Mutex<[Client]>([])

    var first: Client? { kept.withLock { $0.first } }
    var all: [Client] { kept.withLock { $0 } }

    func keep(_ client: Client) { kept.withLock { $0.append(client) } }
}
