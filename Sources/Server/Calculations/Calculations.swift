import Accounts
import GradingKit
import Shared
import Synchronization

/// Who has something calculated: limits and turns go by account, those of guests by address.
enum Asker: Hashable, Sendable {
    case account(AccountID)
    case address(String)
}

extension Call {
    /// Who asks, as far as limits and turns go.
    var asker: Asker { principal.signedIn.map { .account($0.account) } ?? .address(client.source) }
}

/// Where everything is calculated that somebody asks for and that is not stored: standings of whatever is sent,
/// explanations, what-ifs, goals.
///
/// What costs little is done where it is asked for. The rest is done beside the event loops, one after the other, in fair
/// turns, and no more of it waits than will be done soon. What is asked for is charged to the asker before it is done.
final class Calculations: Sendable {
    private struct Job: Sendable {
        let run: @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct State {
        var queue: FairQueue<Asker, Job>
        var number = 0
        var isClosed = false
    }

    /// What may wait together, in units: a second of work for one worker.
    private static let capacity = 4_000
    /// What may wait of one asker.
    private static let capacityOfAsker = 1_000

    private let limiter: RateLimiter<Asker>
    private let state: Mutex<State>
    private let bells: [(stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)]

    /// - Parameters:
    ///   - perSecond: how many units an asker may have calculated in a second; at once, five times as many.
    ///   - workers: how many calculations are done at once beside the loops.
    init(
        perSecond: Int, workers: Int = 1, capacity: Int = Calculations.capacity,
        capacityOfAsker: Int = Calculations.capacityOfAsker
    ) {
        limiter = RateLimiter(perSecond, per: 1, burst: 5 * perSecond)
        state = Mutex(State(queue: FairQueue(capacity: capacity, capacityOfLine: capacityOfAsker)))
        bells = (0..<max(1, workers)).map { _ in AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    /// What waits, in units.
    var waiting: Int { state.withLock { $0.queue.cost } }

    /// Has something calculated that a call asks for.
    ///
    /// Throws `rate_limited` when the asker has asked for too much, lately or at once, and `unavailable` when everybody
    /// together has; otherwise what the work throws.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for call: Call, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try charge(cost, to: call)
        return try await perform(cost, for: call.asker, work)
    }

    /// Has something calculated by a record's rules: those of a scheme in a process of its own keep no loop waiting.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for call: Call, by rules: Rulebook, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        if rules.isImmediate { return try await perform(cost, for: call, work) }
        try charge(cost, to: call)
        return try await rules.perform(work)
    }

    private func charge(_ cost: CalculationCost, to call: Call) throws {
        guard call.client.isLimited else { return }
        if let wait = limiter.wait(for: call.asker, at: call.now, cost: cost.units) {
            throw Problem.rateLimited(retryAfter: wait)
        }
    }

    /// Does work now if it is small, else in the asker's turn.
    func perform<Value: Sendable>(
        _ cost: CalculationCost, for asker: Asker, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        if cost.isSmall { return try work() }
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    run: { continuation.resume(with: Result { try work() }) },
                    refuse: { continuation.resume(throwing: $0) })
                if let problem = accept(job, number, cost, of: asker) { job.refuse(problem) }
            }
        } onCancel: {
            state.withLock { $0.queue.remove(number: number, of: asker) }?.refuse(CancellationError())
        }
    }

    private func accept(_ job: Job, _ number: Int, _ cost: CalculationCost, of asker: Asker) -> Problem? {
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

    private static var tooMuch: Problem { .unavailable("Too many calculations wait", retryAfter: 2) }

    /// Works until the task is cancelled. The first to leave refuses what waits.
    func run(_ worker: Int) async {
        for await _ in bells[worker].stream {
            while !Task.isCancelled, let job = state.withLock({ $0.queue.pop() }) { job.run() }
        }
        let left = state.withLock { state in
            state.isClosed = true
            var jobs: [Job] = []
            while let job = state.queue.pop() { jobs.append(job) }
            return jobs
        }
        for job in left { job.refuse(Problem.unavailable("The server stops")) }
    }

    /// How many workers there are to be.
    var workers: Range<Int> { bells.indices }
}
