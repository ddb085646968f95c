/// The moment after which a request that still waits for its turn is given up, because its caller has stopped waiting.
///
/// It travels with the task. Each queue reads ``current`` when work arrives, and checks it when the work's turn comes.
/// Work that has begun is always completed, so that nothing is left half done.
public struct Deadline: Sendable {
    /// The deadline of the request that the current task answers; `nil` for work that belongs to no request, which
    /// waits as long as it must.
    @TaskLocal public static var current: Deadline?

    private let moment: ContinuousClock.Instant

    /// Creates a deadline `time` after `start`.
    public init(_ time: Duration, after start: ContinuousClock.Instant = .now) { moment = start + time }

    /// Whether it is too late to begin the work.
    public var hasPassed: Bool { ContinuousClock.now >= moment }
}

extension Deadline? {
    /// Throws if there is a deadline and it has passed.
    public func check() throws(DeadlinePassed) {
        if let self, self.hasPassed { throw DeadlinePassed() }
    }
}

/// The error of a request whose deadline passed before its turn. It was not begun, and may be repeated.
public struct DeadlinePassed: Error, Sendable {
    /// Creates the error.
    public init() {}
}
