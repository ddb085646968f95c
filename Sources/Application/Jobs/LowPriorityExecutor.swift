/// An executor of long work, so that requests do not wait for it. The composition root provides one.
public protocol LowPriorityExecutor: Sendable {
    /// Runs `body` and the tasks within it; returns when it has finished.
    func run(_ rank: LowPriorityRank, _ body: @escaping @Sendable () async -> Void) async
}

/// How far long work yields to other work.
public enum LowPriorityRank: Sendable {
    /// No caller waits for the result: the work leaves the processor to all other work.
    case last
    /// A guest waits for the answer: the work yields to that of people who have signed in.
    case third
    /// Somebody who has signed in waits for the answer: the work gets a small share of a busy processor.
    case second
}
