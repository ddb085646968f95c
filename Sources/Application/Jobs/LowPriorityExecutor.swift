/// Runs long work so that requests do not wait for it. The composition root provides one.
public protocol LowPriorityExecutor: Sendable {
    /// Runs `body`, and the tasks within it; returns when it has ended.
    func run(_ rank: LowPriorityRank, _ body: @escaping @Sendable () async -> Void) async
}

/// How far long work steps back.
public enum LowPriorityRank: Sendable {
    /// No caller waits for its result: it leaves the processor to all other work.
    case last
    /// A caller waits for an answer: it has a small share of a processor that others want, too.
    case second
}
