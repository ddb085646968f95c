import Cryptography
import Records
import Shared

/// Claims work of one kind for this process, and keeps the claim as long as the work is carried out.
///
/// The store alone holds the state of work. If a process ends, another one, or its own next start, claims what it left.
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

    /// A new claim of this process.
    var claim: WorkClaim { WorkClaim(owner: owner, token: identifiers.next(), at: clock.now) }

    /// Says that there may be something to do.
    func wake() { wakes.continuation.yield() }

    /// Looks for work when woken, and every so often for what other processes have left, until the task is cancelled.
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

    /// Carries out one piece of work after the other as long as there is any.
    ///
    /// Work that fails keeps its lease and is tried again when the lease ends; other work goes first.
    func carryOutAll(_ carryOut: (WorkLease) async throws -> Void) async {
        while !Task.isCancelled {
            // A store that does not answer is asked again at the next wake.
            guard let lease = try? await store.claim(kind, by: claim) else { return }
            try? await hold(lease) { try await carryOut(lease) }
        }
    }

    /// Carries out work under a lease, which is renewed meanwhile and given back at the end, or when the task is cancelled.
    func hold<Value>(_ lease: WorkLease, _ carryOut: () async throws -> Value) async throws -> Value {
        let renewal = Task { [store, clock] in
            while true {
                try await Task.sleep(for: .seconds(WorkLease.duration / 3))
                do {
                    try await store.renew(lease, at: clock.now)
                } catch is LeaseLost {
                    // The work's next step finds out.
                    return
                } catch {
                    // A store that takes no changes now may take the next.
                }
            }
        }
        defer { renewal.cancel() }
        do {
            let value = try await carryOut()
            // What cannot be given back is free when the lease ends.
            try? await store.release(lease)
            return value
        } catch is CancellationError {
            try? await store.release(lease)
            throw CancellationError()
        }
    }
}
