/// The moment after which a request that still waits for its turn is given up, because its caller has stopped waiting.
///
/// It travels with the task: whatever makes work wait reads ``current`` when the work comes, and checks it when the turn
/// of the work comes. Work that has begun is done to its end, so that nothing is left half done.
public struct Deadline: Sendable {
    /// The deadline of the request that the current task answers; `nil` for work that belongs to no request, and then
    /// waits as long as it must.
    @TaskLocal public static var current: Deadline?

    private let moment: ContinuousClock.Instant

    /// A deadline `time` after `start`.
    public init(_ time: Duration, after start: ContinuousClock.Instant = .now) { moment = start + time }

    /// Whether it is too late to begin.
    public var hasPassed: Bool { ContinuousClock.now >= moment }
}

extension Deadline? {
    /// Throws when there is a deadline and it has passed.
    public func check() throws(DeadlinePassed) {
        if let self, self.hasPassed { throw DeadlinePassed() }
    }
}

/// The deadline of a request passed before it was its turn. It was not begun, and may be repeated.
public struct DeadlinePassed: Error, Sendable {
    /// Says that a piece of work was given up.
    public init() {}
}
