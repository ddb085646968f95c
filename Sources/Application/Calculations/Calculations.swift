import Accounts
import Deadlines
import GradingKit
import Shared
import Synchronization

/// The caller to whom limits and queue turns apply: the account, or a guest's address.
enum Asker: Hashable, Sendable {
    case account(AccountID)
    case address(String)
}

/// A queue for calculations whose results are not stored: standings of submitted records, explanations, what-ifs,
/// goals.
///
/// A small calculation runs directly in the caller's task. Others run beside the event loops, one at a time for each
/// worker, in fair turns; the queue holds no more than can be done soon. Each calculation is charged to the asker
/// before it runs.
public final class Calculations: Sendable {
    private struct Job: Sendable {
        let run: @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var queue: FairQueue<Asker, Job>
        var number = 0
        var isClosed = false
    }

    private let limiter: RateLimiter<Asker>
    private let state: Mutex<State>
    private let bells: [(stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)]

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - perSecond: units an asker may use per second; a burst may use five times as many.
    ///   - workers: number of calculations that run at once beside the event loops.
    ///   - capacity: units that may wait in total; 4,000 are about a second of work for one worker.
    ///   - capacityOfAsker: units that may wait for one asker.
    public init(
        perSecond: Int, workers: Int = 1, capacity: Int = 4_000, capacityOfAsker: Int = 1_000
    ) {
        limiter = RateLimiter(perSecond, per: 1, burst: 5 * perSecond)
        state = Mutex(State(queue: FairQueue(capacity: capacity, capacityOfLine: capacityOfAsker)))
        bells = (0..<max(1, workers)).map { _ in AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    /// The units that are waiting.
    public var waiting: Int { state.withLock { $0.queue.cost } }

    /// Charges a request for a calculation and runs it.
    ///
    /// - Throws: `rate_limited` when the asker has used too much, `unavailable` when the queue is full,
    ///   `deadline_passed` when the turn comes too late; otherwise what the work throws.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for context: RequestContext, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try charge(cost, to: context)
        return try await perform(cost, for: context.asker, until: context.deadline, work)
    }

    /// Runs a calculation under a record's rules. A scheme that runs in its own process does not block an event loop.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for context: RequestContext, by rules: Rulebook,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        if rules.isImmediate { return try await perform(cost, for: context, work) }
        try charge(cost, to: context)
        return try await Deadline.$current.withValue(context.deadline) { try await rules.perform(work) }
    }

    private func charge(_ cost: CalculationCost, to context: RequestContext) throws {
        guard context.client.isLimited else { return }
        if let wait = limiter.wait(for: context.asker, at: context.now, cost: cost.units) {
            throw UseCaseError.rateLimited(retryAfter: wait)
        }
    }

    /// Runs work at once if it is small, otherwise in the asker's turn.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for asker: Asker, until deadline: Deadline? = nil,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        if cost.isSmall { return try work() }
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    run: {
                        let result = Result {
                            try deadline.check()
                            return try work()
                        }
                        continuation.resume(with: result)
                    },
                    refuse: { continuation.resume(throwing: $0) })
                if let error = accept(job, number, cost, of: asker) { job.refuse(error) }
            }
        } onCancel: {
            state.withLock { $0.queue.remove(number: number, of: asker) }?.refuse(CancellationError())
        }
    }

    private func accept(_ job: Job, _ number: Int, _ cost: CalculationCost, of asker: Asker) -> UseCaseError? {
        let admission = state.withLock { state in
            state.isClosed ? nil : state.queue.push(job, number: number, cost: cost.units, of: asker)
        }
        switch admission {
        case nil: return .unavailable("The server stops")
        case .lineFull: return .rateLimited(retryAfter: 1)
        case .full: return Self.tooMuch
        case .accepted(let displaced):
            for bell in bells { bell.continuation.yield() }
            for job in displaced { job.refuse(Self.tooMuch) }
            return nil
        }
    }

    private static var tooMuch: UseCaseError { .unavailable("Too many calculations wait", retryAfter: 2) }

    /// Works through the queue until the task is cancelled. The first worker to stop refuses everything still waiting.
    public func run(_ worker: Int) async {
        for await _ in bells[worker].stream {
            while !Task.isCancelled, let job = state.withLock({ $0.queue.pop() }) { job.run() }
        }
        let left = state.withLock { state in
            state.isClosed = true
            var jobs: [Job] = []
            while let job = state.queue.pop() { jobs.append(job) }
            return jobs
        }
        for job in left { job.refuse(UseCaseError.unavailable("The server stops")) }
    }

    /// The indices of the workers that the caller should run.
    public var workers: Range<Int> { bells.indices }
}
