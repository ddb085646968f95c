import Accounts
import Deadlines
import GradingKit
import Shared
import Synchronization

/// For whom limits and turns of calculations count: the account, or the address of a guest.
enum Asker: Hashable, Sendable {
    case account(AccountID)
    case address(String)
}

/// Calculates what requests ask for and no store keeps: standings of whatever is sent, explanations, what-ifs, goals.
///
/// A small calculation is done where it is asked for. The others are done beside the event loops, one after the other, in
/// fair turns, and no more of them wait than will be done soon. Each is charged to the asker before it is done.
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

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - perSecond: how many units an asker may have calculated in a second; at once, five times as many.
    ///   - workers: how many calculations are done at once beside the loops.
    ///   - capacity: what may wait together, in units; 4,000 are a second of work for one worker.
    ///   - capacityOfAsker: what may wait of one asker.
    public init(
        perSecond: Int, workers: Int = 1, capacity: Int = 4_000, capacityOfAsker: Int = 1_000
    ) {
        limiter = RateLimiter(perSecond, per: 1, burst: 5 * perSecond)
        state = Mutex(State(queue: FairQueue(capacity: capacity, capacityOfLine: capacityOfAsker)))
        bells = (0..<max(1, workers)).map { _ in AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    /// What waits, in units.
    public var waiting: Int { state.withLock { $0.queue.cost } }

    /// Has something calculated that a request asks for.
    ///
    /// Throws `rate_limited` when the asker has asked for too much, `unavailable` when all askers together have, and
    /// `deadline_passed` when its turn comes too late; otherwise what the work throws.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for context: RequestContext, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try charge(cost, to: context)
        return try await perform(cost, for: context.asker, until: context.deadline, work)
    }

    /// Has something calculated by a record's rules: those of a scheme in a process of its own keep no loop waiting.
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

    /// Does work now if it is small, else in the asker's turn.
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

    /// Works until the task is cancelled. The first to leave refuses what waits.
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

    /// How many workers there are to be.
    public var workers: Range<Int> { bells.indices }
}
