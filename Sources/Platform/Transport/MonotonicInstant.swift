internal import Glibc

/// A point on the clock of timers: nanoseconds since some moment before the process began. The clock is never set back.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds on the monotonic clock.
    public let nanoseconds: UInt64

    /// Creates the point this many nanoseconds after the clock's beginning.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Returns the current moment, from the kernel.
    public static func now() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec))
    }

    /// Returns whether the left moment is earlier.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the moment that is `duration` later; a sum beyond the clock's range gives its end, one before its
    /// beginning gives 0.
    public static func + (moment: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return MonotonicInstant(nanoseconds: seconds < 0 ? 0 : .max) }
        let nanoseconds = whole.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
        let shifted =
            nanoseconds < 0
            ? moment.nanoseconds.subtractingReportingOverflow(nanoseconds.magnitude)
            : moment.nanoseconds.addingReportingOverflow(nanoseconds.magnitude)
        return MonotonicInstant(nanoseconds: shifted.overflow ? (nanoseconds < 0 ? 0 : .max) : shifted.partialValue)
    }

    /// Returns how long `right` was before `left`; negative if it was after.
    public static func - (left: MonotonicInstant, right: MonotonicInstant) -> Duration {
        left >= right
            ? .nanoseconds(Int64(clamping: left.nanoseconds - right.nanoseconds))
            : .nanoseconds(-Int64(clamping: right.nanoseconds - left.nanoseconds))
    }
}

/// A duration in four bytes: whole microseconds from 0 to 71 minutes; a longer duration counts as 71 minutes.
struct Microseconds {
    private let count: UInt32

    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        count = UInt32(clamping: max(0, min(seconds, 4_294)) * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    var duration: Duration { .microseconds(count) }
}
