public import GradingKit
import SchemeSandbox
import Synchronization
import Threads

/// Keeps one scheme's process: starts it at the first request, asks it within a deadline, kills it when it is late or
/// sends nonsense, and starts it again, with growing pauses while that does not help.
///
/// It holds one conversation at a time. Requests change nothing, so if the process has died, its successor gets the
/// request. No other scheme waits: each is asked on a thread of its own. That thread alone knows the state of the
/// process, and publishes what other threads may know of it.
public final class SchemeHost: SchemeLink {
    /// The state of the process.
    private enum State {
        /// It runs, and has answered.
        case running(ChildProcess)
        /// It does not run, and may be started from `until` on.
        case down(until: ContinuousClock.Instant, why: String)
    }

    private struct Situation {
        var state: State
        /// Failures since the last answer.
        var failures = 0
        /// The first request and its answer; every further process must answer that request alike.
        var greeting: (request: [UInt8], answer: [UInt8])?
        /// The digest of the executable that was started first.
        var digest: String?
        /// The parts of its confinement that the last process lacked.
        var missing: [String]?

        var process: Int? { if case .running(let child) = state { child.identifier } else { nil } }
    }

    /// What any thread may read without waiting for a conversation.
    private struct Published {
        var digest: String?
        var process: Int?
        var calls = SchemeCalls()
    }

    /// The program's path.
    public let path: String
    private let limits: SchemeLimits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let launcher: String
    private let report: @Sendable (SchemeEvent) -> Void
    private let worker: WorkerPool
    // Only the worker's thread uses it, and `close` after that thread has ended.
    private nonisolated(unsafe) var situation: Situation
    private let published = Mutex(Published())
    private let isClosed = Atomic(false)

    /// Prepares to run a program; nothing is started yet.
    ///
    /// - Parameters:
    ///   - launcher: the executable that confines and starts the program; by default this process's.
    ///   - now: the clock for the pauses.
    ///   - report: called with every event of the process.
    public init(
        _ path: String, limits: SchemeLimits = SchemeLimits(), launcher: String = "/proc/self/exe",
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        report: @escaping @Sendable (SchemeEvent) -> Void = { _ in }
    ) {
        self.path = path
        self.limits = limits
        self.launcher = launcher
        self.now = now
        self.report = report
        situation = Situation(state: .down(until: now(), why: "it has not been started"))
        worker = WorkerPool("scheme", capacity: limits.queue - 1)
    }

    /// Sends a request and returns its answer. The conversation runs on the scheme's own thread; any other thread
    /// blocks until it is over.
    public func answer(to request: [UInt8], records: Int) throws(SchemeFailure) -> [UInt8] {
        if worker.isCurrent { return try converse(request, records).get() }
        let answers = BlockingQueue<Result<[UInt8], SchemeFailure>>(capacity: 1)
        let isQueued = worker.submit { [self] in _ = answers.push(converse(request, records)) }
        guard isQueued, let answered = answers.next() else {
            published.withLock { $0.calls.refused += 1 }
            throw Self.refusal
        }
        return try answered.get()
    }

    /// Runs work on the scheme's own thread.
    public func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await worker.run(work)
        } catch is WorkRefused {
            published.withLock { $0.calls.refused += 1 }
            throw FaultList(Self.refusal)
        }
    }

    /// Ends the process and the thread, and blocks until both have ended; later requests are refused.
    public func close() {
        isClosed.store(true, ordering: .relaxed)
        worker.joinByBlocking()
        situation.state = .down(until: now(), why: Self.stopped)
        publish()
    }

    /// The SHA-256 of the executable; `nil` before the first start. Every further process is started from the same
    /// bytes.
    public var digest: String? { published.withLock(\.digest) }

    /// The identifier of the process that runs now; `nil` if none does.
    public var process: Int? { published.withLock(\.process) }

    /// How requests have ended since the start.
    public var calls: SchemeCalls { published.withLock(\.calls) }

    private static let stopped = "it was stopped"
    private static let refusal = SchemeFailure("too many requests wait for it, or it was stopped")

    private func converse(_ request: [UInt8], _ records: Int) -> Result<[UInt8], SchemeFailure> {
        defer { publish() }
        do throws(ChildFailure) {
            let answer = try answer(request, records)
            published.withLock { $0.calls.answered += 1 }
            return .success(answer)
        } catch {
            published.withLock { $0.calls.count(error) }
            if !error.isPause { fail(error) }
            return .failure(SchemeFailure(error.description))
        }
    }

    private func publish() {
        let (digest, process) = (situation.digest, situation.process)
        published.withLock { ($0.digest, $0.process) = (digest, process) }
    }

    private func answer(_ request: [UInt8], _ records: Int) throws(ChildFailure) -> [UInt8] {
        if isClosed.load(ordering: .relaxed) { throw ChildFailure(.paused(Self.stopped)) }
        if case .running(let child) = situation.state {
            do throws(ChildFailure) {
                let answer = try ask(child, request, within: limits.deadline(for: records))
                situation.failures = 0
                return answer
            } catch {
                guard error.reason == .ended else { throw error }
                report(.failed(SchemeFailure(error.description)))
                situation.state = .down(until: now(), why: error.description)
            }
        }
        let child = try start()
        if situation.greeting == nil {
            let answer = try ask(child, request, within: limits.startTime)
            situation.greeting = (request, answer)
            situation.state = .running(child)
            return answer
        }
        let answer = try ask(child, request, within: limits.deadline(for: records))
        situation.state = .running(child)
        situation.failures = 0
        return answer
    }

    /// Starts a process. If an earlier process has answered the first request, the new one must answer it alike.
    private func start() throws(ChildFailure) -> ChildProcess {
        if case .down(let moment, let why) = situation.state, now() < moment { throw ChildFailure(.paused(why)) }
        let digest = try ExecutableDigest(of: path).text
        guard situation.digest ?? digest == digest else { throw ChildFailure(.exchanged) }
        let child = try ChildProcess(plan, by: launcher, within: limits.startTime) { [report] in
            report(.complained($0))
        }
        if child.missing != situation.missing { report(.started(missing: child.missing)) }
        situation.missing = child.missing
        situation.digest = digest
        guard let greeting = situation.greeting else { return child }
        guard try ask(child, greeting.request, within: limits.startTime) == greeting.answer else {
            throw ChildFailure(.exchanged)
        }
        return child
    }

    private var plan: LaunchPlan {
        LaunchPlan(
            program: path, memory: limits.memory, isConfined: limits.isConfined, readable: limits.readable,
            secret: limits.secret, groups: limits.isConfined ? limits.groups : [])
    }

    private func ask(
        _ child: ChildProcess, _ request: [UInt8], within time: Duration
    ) throws(ChildFailure) -> [UInt8] {
        try child.exchange(request, longest: SchemeWire.longestFrame, within: time)
    }

    private func fail(_ failure: ChildFailure) {
        report(.failed(SchemeFailure(failure.description)))
        situation.failures += 1
        situation.state = .down(until: now() + limits.pause(after: situation.failures), why: failure.description)
    }
}
