import Shared
import Transport

/// The single timer of a reader. A later deadline costs nothing: the timer fires early and is set again.
struct LiveTimer {
    private var token: TimerToken?

    /// Runs `action` at `deadline` or before; `nil` cancels the timer.
    mutating func set(_ deadline: Timestamp?, in context: LiveLoopContext, _ action: @escaping () -> Void) {
        let due = deadline.map { context.moment(at: $0) }
        if let token {
            if let due, let armed = context.loop.deadline(of: token), armed <= due { return }
            context.loop.cancel(token)
        }
        token = due.map { context.loop.schedule(at: $0, action) }
    }
}
