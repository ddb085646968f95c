import Storage
import Transport

/// The loops' clock as moments of the day: it starts at the time of day and is never set back.
struct LiveClock: Sendable {
    private let instant: Instant
    private let moment: Moment

    /// A clock that starts now.
    init(_ clock: WallClock) {
        instant = clock.now
        moment = .now()
    }

    func instant(at moment: Moment) -> Instant {
        let (seconds, attoseconds) = (moment - self.moment).components
        return Instant(microseconds: instant.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    func moment(at instant: Instant) -> Moment {
        let (difference, overflow) = instant.microseconds.subtractingReportingOverflow(self.instant.microseconds)
        return moment + .microseconds(overflow ? .max : difference)
    }
}
