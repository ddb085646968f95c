/// How many requests to a scheme's process ended in which way.
public struct SchemeCalls: Sendable, Equatable {
    /// Answered in time, if need be by a second process.
    public internal(set) var answered = 0
    /// Not answered in time; the process was killed.
    public internal(set) var late = 0
    /// Not answered for another reason: it could not be started, ended, or sent something that is no answer.
    public internal(set) var failed = 0
    /// Not asked, because the process failed a moment ago or too many requests waited.
    public internal(set) var refused = 0

    mutating func count(_ failure: ChildFailure) {
        switch failure.reason {
        case .late: late += 1
        case .paused: refused += 1
        case .start, .unconfined, .ended, .frame, .exchanged: failed += 1
        }
    }
}
