/// What a scheme in a process of its own may take.
public struct SchemeLimits: Sendable, Equatable {
    /// How long it may take to answer about up to 64 records; about more, as many times as long.
    public var deadline: Duration = .milliseconds(250)
    /// How long it may take to start.
    public var startTime: Duration = .seconds(5)
    /// How much address space it may have, in bytes; `.max` is no limit.
    public var memory = 1 << 30
    /// How much work may wait for it, in requests.
    public var queue = 256
    /// How long to wait before the second restart in a row; each further one waits twice as long.
    public var shortestPause: Duration = .milliseconds(100)
    /// How long to wait at most.
    public var longestPause: Duration = .seconds(30)

    /// Whether it is confined; if not, it may do what the server may.
    public var isConfined = true
    /// Files and folders that it may read beside its own folder and the system's programs and libraries.
    public var readable: [String] = []
    /// Files and folders that it must not read, wherever they lie.
    public var secret: [String] = []
    /// The folders of control groups in which its own is made: `ControlGroups.available`, or none.
    public var groups: [String] = []

    /// The defaults.
    public init() {}

    /// How long a request about that many records may take.
    func deadline(for records: Int) -> Duration { deadline * max(1, (records + 63) / 64) }

    /// How long to wait before a restart, after so many failures in a row.
    func pause(after failures: Int) -> Duration {
        guard failures > 1 else { return .zero }
        return min(longestPause, shortestPause * (1 << min(failures - 2, 20)))
    }
}
