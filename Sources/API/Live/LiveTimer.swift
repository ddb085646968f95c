import Shared
import Transport

/// The one timer of a reader. A moment that has moved away costs nothing: the timer comes early, and is set again.
struct LiveTimer {
    private var armed: (token: TimerToken, at: Timestamp)?

    /// Has `action` run at `deadline` or before; `nil` takes the timer back.
    mutating func set(_ deadline: Timestamp?, in context: LiveLoopContext, _ action: @escaping () -> Void) {
        if let armed {
            if let deadline, armed.at <= deadline, armed.at > context.now { return }
            context.loop.cancel(armed.token)
        }
        armed = deadline.map { (context.schedule(at: $0, action), $0) }
    }
}
