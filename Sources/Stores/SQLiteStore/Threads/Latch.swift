import Synchronization

/// Opens once it was counted down to zero; waiting threads go on then.
final class Latch: Sendable {
    private struct State {
        var count: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(count: count)) }

    /// One of those it waits for is done.
    func countDown() {
        let released = state.withLock { state in
            state.count -= 1
            guard state.count <= 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in released { continuation.resume() }
    }

    /// Returns once the latch is open.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count <= 0
            }
            if isOpen { continuation.resume() }
        }
    }
}
