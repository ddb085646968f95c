public import Cryptography
private import Glibc
private import Synchronization

/// Hashes and compares passwords on a few threads of its own, so that 20 ms of work never hold up an event loop,
/// and no more of it waits than will be done soon.
///
/// A thread is made when there is work and none is free, takes what waits, and ends when nothing does: making
/// one costs a thousandth of a hash, and there is nothing to start or stop. The threads give way to all others
/// that want a core.
public final class PasswordHasher: Sendable {
    /// One of the two is called, once.
    private struct Job: Sendable {
        let run: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct Pool {
        var threads = 0
        var waiting: [Job] = []
    }

    private let threads: Int
    private let queue: Int
    private let cost: Argon2Cost
    private let pepper: Pepper?
    private let random: RandomSource
    private let pool = Mutex(Pool())

    /// Verified in place of a hash that does not exist, so that an unknown login takes as long as a wrong password.
    private let decoy: PasswordHash

    /// A pool of at most `threads` threads and `queue` passwords waiting for them.
    public init(
        threads: Int = 1, queue: Int = 64, cost: Argon2Cost = .recommended, pepper: Pepper? = nil,
        random: RandomSource = .system
    ) throws(PasswordHashError) {
        self.threads = max(1, threads)
        self.queue = max(0, queue)
        self.cost = cost
        self.pepper = pepper
        self.random = random
        decoy = try PasswordHash(random.bytes(32), cost: cost, pepper: pepper, random: random)
    }

    /// Hashes a new password; throws `AccountError.busy` when too many wait, or why it could not be hashed.
    public func hash(_ password: Password) async throws -> PasswordHash {
        try await run { [cost, pepper, random] () throws(PasswordHashError) in
            try PasswordHash(password.bytes, cost: cost, pepper: pepper, random: random)
        }
    }

    /// Whether `password` is the one of `hash`; without a hash, or with one that was made with another pepper, it never
    /// is, which takes as long to find out.
    public func verify(_ password: Password, against hash: PasswordHash?) async throws -> Bool {
        let known = hash.flatMap { $0.isComparable(with: pepper) ? $0 : nil }
        let matches = try await run { [decoy, pepper] () throws(PasswordHashError) in
            try (known ?? decoy).matches(password.bytes, pepper: pepper)
        }
        return matches && known != nil
    }

    /// Whether the hash was made with another cost or pepper than today's.
    public func isOutdated(_ hash: PasswordHash) -> Bool { hash.isOutdated(cost: cost, pepper: pepper) }

    /// Passwords that wait for a thread.
    public var waiting: Int { pool.withLock { $0.waiting.count } }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PasswordHashError) -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            accept(
                Job(
                    run: {
                        do throws(PasswordHashError) {
                            continuation.resume(returning: .success(try work()))
                        } catch {
                            continuation.resume(returning: .failure(error))
                        }
                    },
                    refuse: { [retryAfter] in
                        continuation.resume(returning: .failure(AccountError.busy(retryAfter: retryAfter)))
                    }))
        }
        return try result.get()
    }

    /// A full queue is done in about 20 ms a password and thread.
    private var retryAfter: Int { 1 + queue / threads / 50 }

    private enum Place {
        case waits, needsThread, full
    }

    private func accept(_ job: Job) {
        let place: Place = pool.withLock { pool in
            guard pool.threads < threads || pool.waiting.count < queue else { return .full }
            pool.waiting.append(job)
            guard pool.threads < threads else { return .waits }
            pool.threads += 1
            return .needsThread
        }
        switch place {
        case .waits: break
        case .needsThread: startThread()
        case .full: job.refuse()
        }
    }

    private func startThread() {
        // The thread owns this reference and gives it up as its last act.
        let argument = Unmanaged.passRetained(self)
        var thread = pthread_t()
        if pthread_create(&thread, nil, { PasswordHasher.main($0) }, argument.toOpaque()) == 0 {
            pthread_detach(thread)
            return
        }
        argument.release()
        // The system has no thread to give. What waits is done by the threads there are, or refused by the last.
        let refused: [Job] = pool.withLock { pool in
            pool.threads -= 1
            guard pool.threads == 0 else { return [] }
            defer { pool.waiting = [] }
            return pool.waiting
        }
        for job in refused { job.refuse() }
    }

    private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let hasher = Unmanaged<PasswordHasher>.fromOpaque(argument).takeRetainedValue()
        // On Linux the priority is the calling thread's own; if it stays as it is, hashing only yields less.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        while let job = hasher.next() { job.run() }
        return nil
    }

    private func next() -> Job? {
        pool.withLock { pool in
            guard !pool.waiting.isEmpty else {
                pool.threads -= 1
                return nil
            }
            return pool.waiting.removeFirst()
        }
    }
}
