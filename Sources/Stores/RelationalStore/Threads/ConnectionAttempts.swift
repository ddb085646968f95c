/// When connections that have ended may be made again. All of one kind share it, so that what one learns holds for all:
/// after a failed attempt none is made for a while, and after one that succeeds each may be.
struct ConnectionAttempts {
    /// An attempt that has begun, by the number of attempts that had succeeded before.
    struct Attempt {
        fileprivate let successes: Int
    }

    private let delay: Duration
    private var next: ContinuousClock.Instant?
    private var successes = 0

    /// - Parameter delay: how long to wait after a failed attempt.
    init(delay: Duration) { self.delay = delay }

    /// Begins an attempt; `nil` before its time.
    func begin(at moment: ContinuousClock.Instant) -> Attempt? {
        if let next, moment < next { return nil }
        return Attempt(successes: successes)
    }

    /// Notes that an attempt has made a connection.
    mutating func succeeded() {
        successes += 1
        next = nil
    }

    /// Notes that an attempt has failed. It says nothing where another one has succeeded since it began.
    mutating func failed(_ attempt: Attempt, at moment: ContinuousClock.Instant) {
        if attempt.successes == successes { next = moment + delay }
    }
}
