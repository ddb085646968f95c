public import Shared

/// How a write ended.
public struct WriteOutcome: Sendable, Equatable {
    /// What to answer.
    public let answer: StoredAnswer
    /// The caller's view after the change; for a replay, after the first one.
    public let revision: Revision
    /// Whether the answer was given again from an idempotency key, and nothing was done this time.
    public let isReplay: Bool

    /// An outcome.
    public init(answer: StoredAnswer, revision: Revision, isReplay: Bool) {
        self.answer = answer
        self.revision = revision
        self.isReplay = isReplay
    }
}
