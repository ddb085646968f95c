import Shared
import Transport

/// The loops' clock as times of day: it starts at the current time and never goes back.
struct LiveClock: Sendable {
    private let instant: Timestamp
    private let moment: MonotonicInstant

    /// Creates a clock that starts now.
    init(_ clock: WallClock) {
        instant = clock.now
        moment = .now()
    }

    func instant(at moment: MonotonicInstant) -> Timestamp {
        let (seconds, attoseconds) = (moment - self.moment).components
        return Timestamp(microseconds: instant.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    func moment(at instant: Timestamp) -> MonotonicInstant {
        let (difference, overflow) = instant.microseconds.subtractingReportingOverflow(self.instant.microseconds)
        return moment + .microseconds(overflow ? .max : difference)
    }
}
