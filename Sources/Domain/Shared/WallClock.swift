private import Glibc

/// The source of the time of day, which tests can replace.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    /// Creates a clock.
    public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    /// The current moment.
    public var now: Timestamp { read() }

    /// The system's clock.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
