public import Accounts
public import Cryptography

/// Hashes and verifies passwords on a few threads of its own, so that their 20 ms of work never block an event loop.
/// The queue is short, so that no password waits for long.
///
/// Addresses take turns, and within one address the accounts do, so that a client that repeats a correct password delays
/// only its own account. The threads yield to all others that want a core.
public final class PasswordHasher: Sendable {
    private let workers: PasswordWorkers
    /// The time in seconds in which a full queue empties, at about 20 ms for each password on a thread.
    private let retryAfter: Int
    private let cost: Argon2Cost
    private let pepper: Pepper?
    private let random: RandomSource

    /// The hash to verify if the account has none, so that an unknown login takes as long as a wrong password.
    private let decoy: PasswordHash

    /// The number of passwords of one account, or of one typed login, that may wait at one address.
    static let capacityOfPayer = 4

    /// Creates a pool of at most `threads` threads, for which at most `queue` passwords wait.
    public init(
        threads: Int = 1, queue: Int = 64, cost: Argon2Cost = .recommended, pepper: Pepper? = nil,
        random: RandomSource = .system
    ) throws(PasswordHashError) {
        workers = PasswordWorkers(threads: threads, capacity: queue, capacityOfPayer: Self.capacityOfPayer)
        retryAfter = 1 + max(0, queue) / max(1, threads) / 50
        self.cost = cost
        self.pepper = pepper
        self.random = random
        decoy = try PasswordHash(random.bytes(32), cost: cost, pepper: pepper, random: random)
    }

    /// Hashes a new password; throws `AccountError.busy` if the queue is full, or the error of the hash function.
    public func hash(_ password: Password) async throws -> PasswordHash {
        try await hash(password, for: Self.server)
    }

    func hash(_ password: Password, for payer: PasswordPayer) async throws -> PasswordHash {
        try await run(for: payer) { [cost, pepper, random] in
            try PasswordHash(password.bytes, cost: cost, pepper: pepper, random: random)
        }
    }

    /// Returns whether `hash` is one of `password`. If the hash is `nil` or was made with another pepper, returns
    /// `false` after the same time.
    public func verify(_ password: Password, against hash: PasswordHash?) async throws -> Bool {
        try await verify(password, against: hash, for: Self.server)
    }

    func verify(
        _ password: Password, against hash: PasswordHash?, for payer: PasswordPayer
    ) async throws -> Bool {
        let known = hash.flatMap { $0.isComparable(with: pepper) ? $0 : nil }
        let matches = try await run(for: payer) { [decoy, pepper] in
            try (known ?? decoy).matches(password.bytes, pepper: pepper)
        }
        return matches && known != nil
    }

    /// Returns whether the hash was made with another cost or pepper than the current ones.
    public func isOutdated(_ hash: PasswordHash) -> Bool { hash.isOutdated(cost: cost, pepper: pepper) }

    /// The number of passwords that wait for a thread.
    public var waiting: Int { workers.waiting }

    /// Stops taking passwords; returns when the threads have ended.
    public func close() async { await workers.join() }

    /// The payer of the hashes that the server and its commands need themselves.
    private static let server = PasswordPayer(source: "server", name: "")

    private func run<Value: Sendable>(
        for payer: PasswordPayer, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await workers.run(for: payer, work)
        } catch is PasswordsRefused {
            throw AccountError.busy(retryAfter: retryAfter)
        }
    }
}
