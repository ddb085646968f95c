import Shared
import Transport

/// The one timer of a reader. A moment that has moved away costs nothing: the timer comes early, and is set again.
struct LiveTimer {
    private var token: TimerToken?

    /// Has `action` run at `deadline` or before; `nil` takes the timer back.
    mutating func set(_ deadline: Timestamp?, in context: LiveLoopContext, _ action: @escaping () -> Void) {
        let due = deadline.map { context.moment(at: $0) }
        if let token {
            if let due, let armed = context.loop.deadline(of: token), armed <= due { return }
            context.loop.cancel(token)
        }
        token = due.map { context.loop.schedule(at: $0, action) }
    }
}
