internal import Transport

/// The deadline for what a connection is doing, with the one timer that checks it.
///
/// The timer is not moved whenever the deadline moves back: when it rings too early it is set again. A busy connection
/// thus costs its loop's timers nothing.
struct ReadTimeout {
    /// What is waited for.
    enum Phase {
        /// The first request.
        case first
        /// A next request.
        case idle
        /// The rest of a head.
        case head
        /// The rest of a body.
        case body
        /// A first request, while the server stops.
        case last
    }

    /// What a connection that the server had not looked at when it was told to stop gets to be heard.
    private static let lastCall = Duration.milliseconds(200)

    private var phase = Phase.first
    private var since: MonotonicInstant
    private var bytes = 0
    private var timer: (token: TimerToken, due: MonotonicInstant)?

    init(now: MonotonicInstant) { since = now }

    /// Something else is waited for from now on. The first request counts from the connection.
    mutating func begin(_ phase: Phase, now: MonotonicInstant) {
        if phase != .head || self.phase != .first { since = now }
        self.phase = phase
        bytes = 0
    }

    /// Whether nothing has come in yet.
    var isFresh: Bool { phase == .first }

    /// So many bytes came in.
    mutating func count(_ bytes: Int) { self.bytes += bytes }

    /// When it has taken too long.
    func due(_ settings: Settings) -> MonotonicInstant {
        switch phase {
        case .first, .head: since + settings.headerTime
        case .idle: since + settings.idleTime
        case .last: since + ReadTimeout.lastCall
        case .body: since + settings.bodyGrace + .milliseconds(bytes / max(settings.bodyRate, 1) * 1000)
        }
    }

    /// Whether no timer rings early enough for this.
    func isUnwatched(until due: MonotonicInstant) -> Bool {
        guard let timer else { return true }
        return due < timer.due
    }

    /// Sets the timer, in place of the one there was.
    mutating func watch(until due: MonotonicInstant, on loop: EventLoop, _ action: @escaping () -> Void) {
        stop(on: loop)
        timer = (loop.schedule(at: due, action), due)
    }

    /// The timer has rung.
    mutating func rang() { timer = nil }

    /// Takes the timer back.
    mutating func stop(on loop: EventLoop) {
        if let timer { loop.cancel(timer.token) }
        timer = nil
    }
}
