internal import Transport

/// The deadline of what a connection waits for, with the one timer that checks it.
///
/// If the deadline moves back, the timer stays; when it fires too early, it is set again. So a busy connection costs
/// its loop's timers nothing.
struct ReadTimeout {
    /// What the connection waits for.
    enum Phase {
        /// The first request.
        case first
        /// The next request.
        case idle
        /// The rest of a head.
        case head
        /// The rest of a body.
        case body
        /// A first request, while the server stops.
        case last
    }

    /// How long a connection that has sent nothing yet may take to send a request once the server is stopping.
    private static let lastCall = Duration.milliseconds(200)

    private var phase = Phase.first
    private var since: MonotonicInstant
    private var bytes = 0
    private var timer: (token: TimerToken, due: MonotonicInstant)?

    init(now: MonotonicInstant) { since = now }

    /// Starts the timeout of the next phase. The time for the first request counts from the connection.
    mutating func begin(_ phase: Phase, now: MonotonicInstant) {
        if phase != .head || self.phase != .first { since = now }
        self.phase = phase
        bytes = 0
    }

    /// Whether nothing has come in yet.
    var isFresh: Bool { phase == .first }

    /// Counts bytes that came in.
    mutating func count(_ bytes: Int) { self.bytes += bytes }

    /// Returns the moment at which the phase has taken too long.
    func due(_ settings: Settings) -> MonotonicInstant {
        switch phase {
        case .first, .head: since + settings.headerTime
        case .idle: since + settings.idleTime
        case .last: since + ReadTimeout.lastCall
        case .body: since + settings.bodyGrace + .milliseconds(bytes / max(settings.bodyRate, 1) * 1000)
        }
    }

    /// Returns whether no timer fires early enough for a deadline.
    func isUnwatched(until due: MonotonicInstant) -> Bool {
        guard let timer else { return true }
        return due < timer.due
    }

    /// Sets the timer, replacing the previous one.
    mutating func watch(until due: MonotonicInstant, on loop: EventLoop, _ action: @escaping () -> Void) {
        stop(on: loop)
        timer = (loop.schedule(at: due, action), due)
    }

    /// Notes that the timer has fired.
    mutating func rang() { timer = nil }

    /// Cancels the timer.
    mutating func stop(on loop: EventLoop) {
        if let timer { loop.cancel(timer.token) }
        timer = nil
    }
}
