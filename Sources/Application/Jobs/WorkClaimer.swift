import Cryptography
import Records
import Shared

/// This process's claims to work of one kind, renewed while the work is carried out.
///
/// The state of work is only in the store. When a process ends, another process, or its own next start, claims the work
/// it left.
final class WorkClaimer: Sendable {
    private let kind: WorkKind
    private let store: any LeaseStore
    private let identifiers: UUIDSource
    private let clock: WallClock
    private let owner: String
    private let wakes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    init(_ kind: WorkKind, in store: any LeaseStore, identifiers: UUIDSource, clock: WallClock) {
        self.kind = kind
        self.store = store
        self.identifiers = identifiers
        self.clock = clock
        owner = identifiers.next()
        wakes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// A new claim by this process.
    var claim: WorkClaim { WorkClaim(owner: owner, token: identifiers.next(), at: clock.now) }

    /// Signals that there may be work.
    func wake() { wakes.continuation.yield() }

    /// Calls `look` when woken, and at intervals to find work left by other processes, until the task is cancelled.
    func whenWoken(atLeastEvery interval: Duration, _ look: () async -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    wake()
                    try? await Task.sleep(for: interval)
                }
            }
            for await _ in wakes.stream { await look() }
            group.cancelAll()
        }
    }

    /// Carries out one piece of work after another until there is no more.
    ///
    /// Work that fails keeps its lease and is tried again when the lease ends; other work goes first.
    func carryOutAll(_ carryOut: (WorkLease) async throws -> Void) async {
        while !Task.isCancelled {
            // If the store fails, the next wake tries again.
            guard let lease = try? await store.claim(kind, by: claim) else { return }
            try? await hold(lease) { try await carryOut(lease) }
        }
    }

    /// Carries out work under a lease. Renews the lease meanwhile, and releases it at the end or when the task is
    /// cancelled.
    func hold<Value>(_ lease: WorkLease, _ carryOut: () async throws -> Value) async throws -> Value {
        let renewal = Task { [store, clock] in
            while true {
                try await Task.sleep(for: .seconds(WorkLease.duration / 3))
                do {
                    try await store.renew(lease, at: clock.now)
                } catch is LeaseLost {
                    // The next step of the work notices that the lease is lost.
                    return
                } catch {
                    // The store may accept the next renewal.
                }
            }
        }
        defer { renewal.cancel() }
        do {
            let value = try await carryOut()
            // A lease that cannot be released expires.
            try? await store.release(lease)
            return value
        } catch is CancellationError {
            try? await store.release(lease)
            throw CancellationError()
        }
    }
}
