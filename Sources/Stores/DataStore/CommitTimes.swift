public import Observability

/// How long a store's commits take, and how many changes they hold.
public struct CommitTimes: Sendable {
    /// How long each group of changes took, from its first change to the end of its commit.
    public let durations = Histogram()
    /// The changes in these groups, refused ones included.
    public let changes = Counter()

    /// Begins with no commits.
    public init() {}

    /// Counts a group of changes that was committed, and began at `start`.
    public func note(_ changes: Int, since start: ContinuousClock.Instant) {
        durations.observe(start.duration(to: .now))
        self.changes.add(changes)
    }
}
