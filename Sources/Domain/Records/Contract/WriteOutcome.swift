public import Shared

/// The result of a write.
public struct WriteOutcome: Sendable, Equatable {
    /// The answer to the caller.
    public let answer: StoredAnswer
    /// The revision of the caller's view after the change; for a replay, after the original change.
    public let revision: Revision
    /// Whether the answer was replayed from an idempotency key, without another change.
    public let isReplay: Bool

    /// Creates an outcome.
    public init(answer: StoredAnswer, revision: Revision, isReplay: Bool) {
        self.answer = answer
        self.revision = revision
        self.isReplay = isReplay
    }
}
