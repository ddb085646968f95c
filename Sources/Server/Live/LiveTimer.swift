import Storage
import Transport

/// The one timer of a reader. A moment that has moved away costs nothing: the timer comes early, and is set again.
struct LiveTimer {
    private var armed: (token: TimerToken, at: Instant)?

    /// Has `action` run at `deadline` or before; `nil` takes the timer back.
    mutating func set(_ deadline: Instant?, in room: LiveLoop, _ action: @escaping () -> Void) {
        if let armed {
            if let deadline, armed.at <= deadline, armed.at > room.now { return }
            room.loop.cancel(armed.token)
        }
        armed = deadline.map { (room.schedule(at: $0, action), $0) }
    }
}
