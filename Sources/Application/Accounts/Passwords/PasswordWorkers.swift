import Accounts
private import Deadlines
import Shared
private import Synchronization
private import Threads

/// The requester of a password hash. Addresses take turns, and within one address the accounts do.
struct PasswordPayer: Sendable {
    /// The address that sent the request.
    let source: String
    /// The account or login that the work is for.
    let name: String

    /// A known account: its owner is signed in or holds a link.
    static func account(_ id: AccountID, from source: String) -> PasswordPayer {
        PasswordPayer(source: source, name: "account \(id.text)")
    }

    /// A login that was typed. All logins that no account can have count as one.
    static func login(_ login: Login?, from source: String) -> PasswordPayer {
        PasswordPayer(source: source, name: "login \(login?.text ?? "")")
    }
}

/// A few threads that work for their payers in fair turns.
///
/// A payer that asks without end delays only itself: another payer waits for at most one turn of each of the others,
/// however long their lines are. When the queue is full, work for a payer with a shorter line is still accepted, and the
/// newest piece of the longest line is refused.
final class PasswordWorkers: Sendable {
    private struct Job: Sendable {
        /// Does the work, and returns a function that hands over the result.
        let work: @Sendable () -> @Sendable () -> Void
        /// Tells the caller that the work was refused.
        let refuse: @Sendable () -> Void
    }

    private typealias Line = FairQueue<String, Job>

    private struct State {
        /// One piece for each job that waits at an address; decides whose turn it is.
        var turns = FairQueue<String, String>(capacity: .max, capacityOfLine: .max)
        /// The waiting jobs of each address, in one line for each name.
        var lines: [String: Line] = [:]
        var number = 0
        /// The number of jobs that wait or run.
        var unfinished = 0

        /// Puts a job in line and returns its number; `nil` if its payer has too many jobs in line.
        mutating func push(_ job: Job, for payer: PasswordPayer, _ capacityOfPayer: Int) -> Int? {
            guard let line = line(with: job, for: payer, capacityOfPayer),
                case .accepted = turns.push(payer.source, number: number, cost: 1, of: payer.source)
            else { return nil }
            lines[payer.source] = line
            defer { number += 1 }
            return number
        }

        /// Puts a job in line in place of another, and returns the other: the newest of the longest line, at the address
        /// with the most jobs in line. `nil` if neither this address nor this payer has fewer than others.
        mutating func exchange(_ job: Job, for payer: PasswordPayer, _ capacityOfPayer: Int) -> Job? {
            let source = payer.source
            guard !turns.isEmpty, let grown = line(with: job, for: payer, capacityOfPayer) else { return nil }
            defer { number += 1 }
            let admission = turns.push(source, number: number, cost: 1, of: source, within: turns.cost)
            if case .accepted(let others) = admission {
                lines[source] = grown
                return others.first.flatMap { dropNewest(of: $0) }
            }
            guard var line = lines[source],
                case .accepted(let own) = line.push(
                    job, number: number, cost: 1, of: payer.name, within: line.cost)
            else { return nil }
            lines[source] = line
            return own.first
        }

        mutating func pop() -> Job? {
            guard let source = turns.pop(), var line = lines[source] else { return nil }
            let job = line.pop()
            lines[source] = line.isEmpty ? nil : line
            return job
        }

        mutating func takeBack(_ number: Int, of payer: PasswordPayer) {
            _ = turns.remove(number: number, of: payer.source)
            guard var line = lines[payer.source] else { return }
            _ = line.remove(number: number, of: payer.name)
            lines[payer.source] = line.isEmpty ? nil : line
        }

        private func line(with job: Job, for payer: PasswordPayer, _ capacityOfPayer: Int) -> Line? {
            var line = lines[payer.source] ?? Line(capacity: .max, capacityOfLine: capacityOfPayer)
            guard case .accepted = line.push(job, number: number, cost: 1, of: payer.name) else { return nil }
            return line
        }

        private mutating func dropNewest(of source: String) -> Job? {
            guard var line = lines[source] else { return nil }
            let job = line.dropNewest()
            lines[source] = line.isEmpty ? nil : line
            return job
        }
    }

    private let pool: WorkerPool
    private let places: Int
    private let capacityOfPayer: Int
    private let state = Mutex(State())

    /// Creates the workers.
    ///
    /// - Parameters:
    ///   - threads: The number of jobs that may run at once; at least 1.
    ///   - capacity: The number of jobs that may wait for a thread.
    ///   - capacityOfPayer: The number of jobs of one payer that may wait; at least 1.
    init(threads: Int, capacity: Int, capacityOfPayer: Int) {
        places = max(1, threads) + max(0, capacity)
        // A thread gives up its place in the pool a moment after its job has given up the place here.
        pool = WorkerPool("passwords", threads: threads, niceness: 10, capacity: places)
        self.capacityOfPayer = max(1, capacityOfPayer)
    }

    /// The number of jobs that wait for a thread.
    var waiting: Int { state.withLock { $0.turns.cost } }

    /// Runs work in its payer's turn and returns its result. A task that is cancelled in the meantime still waits.
    ///
    /// - Throws: ``PasswordsRefused`` if too many jobs wait, of this payer or of all, or if the workers are closed;
    ///   `DeadlinePassed` if the calling task's deadline passes before its turn; otherwise what the work throws.
    func run<Value: Sendable>(
        for payer: PasswordPayer, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let deadline = Deadline.current
        return try await withCheckedThrowingContinuation { continuation in
            let job = Job {
                let result = Result {
                    try deadline.check()
                    return try work()
                }
                return { continuation.resume(with: result) }
            } refuse: {
                continuation.resume(throwing: PasswordsRefused())
            }
            enqueue(job, for: payer)?.refuse()
        }
    }

    /// Accepts no more work, finishes the jobs that wait, and returns once every thread has ended.
    func join() async { await pool.join() }

    /// Puts a job in line; returns the job that is refused for it, which may be the job itself.
    private func enqueue(_ job: Job, for payer: PasswordPayer) -> Job? {
        state.withLock { state in
            guard state.unfinished < places else { return state.exchange(job, for: payer, capacityOfPayer) ?? job }
            guard let number = state.push(job, for: payer, capacityOfPayer) else { return job }
            guard pool.submit({ [self] in doNext() }) else {
                state.takeBack(number, of: payer)
                return job
            }
            state.unfinished += 1
            return nil
        }
    }

    private func doNext() {
        guard let handOver = state.withLock({ $0.pop() })?.work() else { return }
        // Before the result is handed over, so that the caller finds its place free.
        state.withLock { $0.unfinished -= 1 }
        handOver()
    }
}

/// The error if a password is not hashed because too many wait or the workers are closed.
struct PasswordsRefused: Error {}
