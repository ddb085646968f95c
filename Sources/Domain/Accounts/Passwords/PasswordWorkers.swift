private import Deadlines
import Shared
private import Synchronization
private import Threads

/// For whom a password is hashed: the addresses that ask take turns, and of one address the accounts do.
struct PasswordPayer: Sendable {
    /// From where it is asked.
    let source: String
    /// Whose work it is.
    let name: String

    /// An account that is known: its owner is signed in, or holds a link.
    static func account(_ id: AccountID, from source: String) -> PasswordPayer {
        PasswordPayer(source: source, name: "account \(id.text)")
    }

    /// A login that was typed; all that no account can have are one.
    static func login(_ login: Login?, from source: String) -> PasswordPayer {
        PasswordPayer(source: source, name: "login \(login?.text ?? "")")
    }
}

/// A few threads that do work in fair turns.
///
/// Who asks without end delays itself; who asks for little waits for a turn of each of the others, whatever they have in
/// line. Where as much waits as may, work of one who has less in line is taken all the same, and the newest piece of the
/// longest line is refused.
final class PasswordWorkers: Sendable {
    private struct Job: Sendable {
        /// Does the work, and answers how to hand over what comes of it.
        let work: @Sendable () -> @Sendable () -> Void
        /// Tells the caller that it is not done.
        let refuse: @Sendable () -> Void
    }

    private typealias Line = FairQueue<String, Job>

    private struct State {
        /// One piece for each that waits at an address: whose turn it is.
        var turns = FairQueue<String, String>(capacity: .max, capacityOfLine: .max)
        /// What waits of each address, in lines by names.
        var lines: [String: Line] = [:]
        var number = 0
        /// Pieces that wait or are being done.
        var unfinished = 0

        /// Puts a job in line and answers its number; `nil` where its payer has too much in line.
        mutating func push(_ job: Job, for payer: PasswordPayer, _ capacityOfPayer: Int) -> Int? {
            guard let line = line(with: job, for: payer, capacityOfPayer),
                case .accepted = turns.push(payer.source, number: number, cost: 1, of: payer.source)
            else { return nil }
            lines[payer.source] = line
            defer { number += 1 }
            return number
        }

        /// Puts a job in line in place of another, which is answered: the newest of the longest line, at the address that
        /// has most in line. `nil` where neither this address nor this payer has less than others.
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

    /// Workers without threads as yet.
    ///
    /// - Parameters:
    ///   - threads: how many pieces may be done at once; at least 1.
    ///   - capacity: how many pieces may wait for a thread.
    ///   - capacityOfPayer: how many of one payer may wait; at least 1.
    init(threads: Int, capacity: Int, capacityOfPayer: Int) {
        places = max(1, threads) + max(0, capacity)
        // The threads give up their places there a moment after the pieces have given up theirs here.
        pool = WorkerPool("passwords", threads: threads, niceness: 10, capacity: places)
        self.capacityOfPayer = max(1, capacityOfPayer)
    }

    /// Pieces that wait for a thread.
    var waiting: Int { state.withLock { $0.turns.cost } }

    /// Has a piece of work done in its payer's turn, and waits for what it returns. A task that is cancelled meanwhile still
    /// waits.
    ///
    /// - Throws: ``PasswordsRefused`` where too much waits, of this payer or of all, and where the workers are closed;
    ///   `DeadlinePassed` when the deadline of the calling task has passed before its turn; else what the work throws.
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

    /// Takes no more work, lets what waits be done, and returns once every thread has ended.
    func join() async { await pool.join() }

    /// Puts a job in line; answers the one that is refused for it, or itself.
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
        // First, so that the caller finds the place free that it held.
        state.withLock { $0.unfinished -= 1 }
        handOver()
    }
}

/// A password is not hashed: too much waits for it, or the workers are closed.
struct PasswordsRefused: Error {}
