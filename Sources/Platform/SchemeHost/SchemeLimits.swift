/// The limits of a scheme that runs in its own process.
public struct SchemeLimits: Sendable, Equatable {
    /// How long it may take to answer about up to 64 records; every further 64 records, or part of them, get as long
    /// again.
    public var deadline: Duration = .milliseconds(250)
    /// How long it may take to start.
    public var startTime: Duration = .seconds(5)
    /// How much address space it may have, in bytes; `.max` is no limit.
    public var memory = 1 << 30
    /// How many requests may wait for it.
    public var queue = 256
    /// The pause before the second restart in a row; each further pause is twice as long.
    public var shortestPause: Duration = .milliseconds(100)
    /// The longest pause.
    public var longestPause: Duration = .seconds(30)

    /// Whether it is confined; if not, it may do whatever the server may do.
    public var isConfined = true
    /// Files and folders that it may read besides its own folder and the system's programs and libraries.
    public var readable: [String] = []
    /// Files and folders that it must not read, wherever they are.
    public var secret: [String] = []
    /// The folders of control groups in which it gets its own: `ControlGroups.available`, or none.
    public var groups: [String] = []

    /// Creates the default limits.
    public init() {}

    /// Returns how long a request about this many records may take.
    func deadline(for records: Int) -> Duration { deadline * max(1, (records + 63) / 64) }

    /// Returns how long to wait before a restart, after this many failures in a row.
    func pause(after failures: Int) -> Duration {
        guard failures > 1 else { return .zero }
        return min(longestPause, shortestPause * (1 << min(failures - 2, 20)))
    }
}
