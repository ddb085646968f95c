private import Glibc

/// Where the time of day comes from; injected, so that a test decides what time it is.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    /// A clock.
    public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    /// The moment it is now.
    public var now: Timestamp { read() }

    /// The system's clock.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
