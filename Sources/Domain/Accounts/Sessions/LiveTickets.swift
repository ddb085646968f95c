public import Cryptography
import Shared
private import Synchronization

/// Lets the owner of a session open one live connection: a browser's cookie alone never does.
///
/// A ticket stands for the session's token, which is looked at again when the ticket is used. While the store takes no
/// writes, tickets are kept in memory: pages that lose their connection go on reading, at the node that gave the ticket.
public struct LiveTickets: Sendable {
    /// Seconds a ticket holds.
    public static let lifetime: Int64 = 30

    let store: any AccountStore
    let sessions: Sessions
    let clock: WallClock
    let random: RandomSource
    private let memory = TicketMemory(capacity: 10_000)

    init(store: any AccountStore, sessions: Sessions, clock: WallClock, random: RandomSource) {
        self.store = store
        self.sessions = sessions
        self.clock = clock
        self.random = random
    }

    /// A ticket for the session of that token; `nil` while far too many are out.
    public func issue(for session: SecretToken) async throws -> SecretToken? {
        let (ticket, now) = (SecretToken(random: random), clock.now)
        let end = now.adding(seconds: Self.lifetime)
        let isOut: Bool
        do {
            let meaning = OneUseToken(.session(session.digest), expiresAt: end)
            isOut = try await store.issue(meaning, digest: ticket.digest, at: now)
        } catch StoreError.full, StoreError.unavailable {
            isOut = memory.keep(ticket.digest, for: session.digest, until: end, at: now)
        }
        return isOut ? ticket : nil
    }

    /// Uses up a ticket: the owner of the session it stands for, or `nil`.
    public func redeem(_ ticket: SecretToken) async throws -> SignedIn? {
        let (digest, now) = (ticket.digest, clock.now)
        if let session = memory.use(digest, at: now) { return try await sessions.authenticate(session) }
        let found = try await store.redeem(digest, at: now) { $0.kind == .liveTicket }
        guard case .session(let session)? = found?.meaning else { return nil }
        return try await sessions.authenticate(session)
    }
}

/// The tickets that could not be stored. All hold for the same time, so they end in the order in which they came.
private final class TicketMemory: Sendable {
    private struct Ticket {
        let session: TokenDigest
        let end: Timestamp
    }

    private struct State {
        var tickets: [TokenDigest: Ticket] = [:]
        /// The tickets that have not ended, from `first` on; those that were used count until their end.
        var order: [(digest: TokenDigest, end: Timestamp)] = []
        var first = 0

        mutating func dropEnded(at now: Timestamp) {
            while first < order.count, order[first].end <= now {
                tickets[order[first].digest] = nil
                first += 1
            }
            guard first == order.count || first >= 1_024 else { return }
            order.removeFirst(first)
            first = 0
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    /// Keeps a ticket; `false` while `capacity` were kept within the time that each holds.
    func keep(_ ticket: TokenDigest, for session: TokenDigest, until end: Timestamp, at now: Timestamp) -> Bool {
        state.withLock { state in
            state.dropEnded(at: now)
            guard state.order.count - state.first < capacity else { return false }
            state.tickets[ticket] = Ticket(session: session, end: end)
            state.order.append((ticket, end))
            return true
        }
    }

    /// The session of a ticket that holds, which is used up.
    func use(_ ticket: TokenDigest, at now: Timestamp) -> TokenDigest? {
        state.withLock { state in
            guard let found = state.tickets.removeValue(forKey: ticket), now < found.end else { return nil }
            return found.session
        }
    }
}
