import Accounts
import Deadlines
import GradingKit
import Shared
import Synchronization

/// The caller to whom limits and queue turns apply: the account, or a guest's address.
enum Asker: Hashable, Sendable {
    case account(AccountID)
    case address(String)

    /// The lane in which the asker's questions wait.
    var lane: Calculations.Lane {
        switch self {
        case .account: .accounts
        case .address: .guests
        }
    }
}

/// Queues for calculations: standings of submitted records, explanations, what-ifs, goals, and the rows that an act
/// judges.
///
/// A small calculation runs directly in the caller's task. Others run beside the event loops, one at a time for each
/// worker of their lane, in fair turns; a lane holds no more than can be done soon. Each calculation whose result is not
/// stored is charged to the asker before it runs, by what it is expected to take, and for the rest afterwards.
public final class Calculations: Sendable {
    /// What never waits for the work of another lane, because each has workers of its own.
    public enum Lane: CaseIterable, Sendable {
        /// Changes to classes.
        case acts
        /// Questions of people who have signed in.
        case accounts
        /// Questions of guests.
        case guests
    }

    /// One of those who work through a lane.
    public struct Worker: Sendable {
        /// The lane.
        public let lane: Lane
        fileprivate let stream: AsyncStream<Void>
        fileprivate let signal: AsyncStream<Void>.Continuation

        fileprivate init(lane: Lane) {
            self.lane = lane
            (stream, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    private struct Job: Sendable {
        let run: @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var queues: [Lane: FairQueue<Asker, Job>]
        var number = 0
        var isClosed = false
    }

    /// The workers that the caller should run, each by itself.
    public let workers: [Worker]
    private let limiter: RateLimiter<Asker>
    /// How long the current thread has been running, in nanoseconds.
    private let processorTime: @Sendable () -> Int64
    private let state: Mutex<State>

    /// Creates empty lanes.
    ///
    /// - Parameters:
    ///   - perSecond: units an asker may use per second; a burst may use five times as many.
    ///   - workers: number of calculations of accounts that run at once beside the event loops; the other lanes have one
    ///     worker each.
    ///   - capacity: units that may wait in a lane; 4,000 are about a second of work for one worker.
    ///   - capacityOfAsker: units that may wait in a lane for one asker.
    ///   - processorTime: how long the current thread has been running, in nanoseconds; `nil` asks the system.
    public init(
        perSecond: Int, workers: Int = 1, capacity: Int = 4_000, capacityOfAsker: Int = 1_000,
        processorTime: (@Sendable () -> Int64)? = nil
    ) {
        self.processorTime = processorTime ?? { ProcessorTime.ofThread() }
        limiter = RateLimiter(perSecond, per: 1, burst: 5 * perSecond)
        let empty = FairQueue<Asker, Job>(capacity: capacity, capacityOfLine: capacityOfAsker)
        state = Mutex(State(queues: Dictionary(uniqueKeysWithValues: Lane.allCases.map { ($0, empty) })))
        self.workers =
            [Worker(lane: .acts), Worker(lane: .guests)] + (0..<max(1, workers)).map { _ in Worker(lane: .accounts) }
    }

    /// The units that are waiting.
    public var waiting: Int { state.withLock { $0.queues.values.reduce(0) { $0 + $1.cost } } }

    /// Charges a request for a calculation and runs it.
    ///
    /// - Throws: `rate_limited` when the asker has used too much, `unavailable` when the queue is full,
    ///   `deadline_passed` when the turn comes too late; otherwise what the work throws.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for context: RequestContext, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try charge(cost, to: context)
        return try await perform(cost, for: context.asker, until: context.deadline) {
            let start = self.processorTime()
            defer { self.chargeRest(of: cost, after: self.processorTime() - start, to: context) }
            return try work()
        }
    }

    /// Returns whether work has run for some time on the current thread, from now on.
    func end(after time: Duration) -> @Sendable () -> Bool {
        let start = processorTime()
        let most = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
        return { [processorTime] in processorTime() - start > most }
    }

    /// Admits work that runs elsewhere and is charged when it is done, because nothing tells beforehand what it takes.
    ///
    /// - Returns: what charges the asker for processor time, in nanoseconds.
    /// - Throws: `rate_limited` when the asker has used too much.
    func admit(_ context: RequestContext) throws -> @Sendable (Int64) -> Void {
        guard context.client.isLimited else { return { _ in } }
        let (asker, now) = (context.asker, context.now)
        if let wait = limiter.look(for: asker, at: now) { throw UseCaseError.rateLimited(retryAfter: wait) }
        return { [limiter] time in
            limiter.charge(asker, at: now, cost: CalculationCost.units(ofNanoseconds: time))
        }
    }

    /// Charges what work took beyond what it was expected to take, so that what was expected wrongly cannot be asked for
    /// again and again.
    private func chargeRest(of cost: CalculationCost, after nanoseconds: Int64, to context: RequestContext) {
        guard context.client.isLimited else { return }
        let rest = CalculationCost.units(ofNanoseconds: nanoseconds) - cost.units
        if rest > 0 { limiter.charge(context.asker, at: context.now, cost: rest) }
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
    ///
    /// - Parameter lane: that of the asker where it is `nil`.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for asker: Asker, in lane: Lane? = nil, until deadline: Deadline? = nil,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        if cost.isSmall { return try work() }
        let lane = lane ?? asker.lane
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
                if let error = accept(job, number, cost, of: asker, in: lane) { job.refuse(error) }
            }
        } onCancel: {
            state.withLock { $0.queues[lane]?.remove(number: number, of: asker) }?.refuse(CancellationError())
        }
    }

    private func accept(
        _ job: Job, _ number: Int, _ cost: CalculationCost, of asker: Asker, in lane: Lane
    ) -> UseCaseError? {
        let admission = state.withLock { state in
            state.isClosed ? nil : state.queues[lane]?.push(job, number: number, cost: cost.units, of: asker)
        }
        switch admission {
        case nil: return .unavailable("The server stops")
        case .lineFull: return .rateLimited(retryAfter: 1)
        case .full: return Self.tooMuch
        case .accepted(let displaced):
            for worker in workers where worker.lane == lane { worker.signal.yield() }
            for job in displaced { job.refuse(Self.tooMuch) }
            return nil
        }
    }

    private static var tooMuch: UseCaseError { .unavailable("Too many calculations wait", retryAfter: 2) }

    /// Works through a worker's lane until the task is cancelled. The first worker to stop closes every lane; each refuses
    /// what still waits in its own.
    public func run(_ worker: Worker) async {
        let lane = worker.lane
        for await _ in worker.stream {
            while !Task.isCancelled, let job = state.withLock({ $0.queues[lane]?.pop() }) { job.run() }
        }
        let left = state.withLock { state in
            state.isClosed = true
            var jobs: [Job] = []
            while let job = state.queues[lane]?.pop() { jobs.append(job) }
            return jobs
        }
        for job in left { job.refuse(UseCaseError.unavailable("The server stops")) }
    }
}
