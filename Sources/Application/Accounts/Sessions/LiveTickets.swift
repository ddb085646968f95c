public import Accounts
public import Cryptography
import Shared
private import Synchronization

/// Tickets with which the owner of a session opens one live connection each; a browser's cookie alone does not suffice.
///
/// A ticket refers to the session's token, which is checked again when the ticket is used. While the store cannot
/// write, tickets are kept in memory, so that pages can reconnect, at the node that issued the ticket, and continue
/// reading.
public struct LiveTickets: Sendable {
    /// The time that a ticket is valid, in seconds.
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

    /// Issues a ticket for the session with a token; `nil` if too many tickets are kept in memory.
    public func issue(for session: SecretToken) async throws -> SecretToken? {
        let (ticket, now) = (SecretToken(random: random), clock.now)
        let end = now.adding(seconds: Self.lifetime)
        let token = OneUseToken(
            .session(session.digest), of: OneUseToken.Holder(session.digest), expiresAt: end)
        do {
            try await store.issue(token, digest: ticket.digest, at: now)
        } catch StoreError.full, StoreError.unavailable {
            guard memory.keep(ticket.digest, for: session.digest, until: end, at: now) else { return nil }
        }
        return ticket
    }

    /// Uses up a ticket and returns its session's owner; `nil` if the ticket or the session is not valid.
    public func redeem(_ ticket: SecretToken) async throws -> SignedIn? {
        let (digest, now) = (ticket.digest, clock.now)
        if let session = memory.use(digest, at: now) {
            return try await sessions.authenticate(session, renewing: false)
        }
        let found = try await store.redeem(digest, at: now) { $0.kind == .liveTicket }
        guard case .session(let session)? = found?.meaning else { return nil }
        return try await sessions.authenticate(session, renewing: false)
    }
}

/// The tickets that could not be stored. All are valid for the same time, so they expire in the order of issue.
private final class TicketMemory: Sendable {
    private struct Ticket {
        let session: TokenDigest
        let end: Timestamp
    }

    private struct State {
        var tickets: [TokenDigest: Ticket] = [:]
        /// The unexpired tickets, starting at index `first`; used ones stay until they expire.
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

    /// Keeps a ticket; returns `false` if it already keeps `capacity` tickets that have not expired, used or not.
    func keep(_ ticket: TokenDigest, for session: TokenDigest, until end: Timestamp, at now: Timestamp) -> Bool {
        state.withLock { state in
            state.dropEnded(at: now)
            guard state.order.count - state.first < capacity else { return false }
            state.tickets[ticket] = Ticket(session: session, end: end)
            state.order.append((ticket, end))
            return true
        }
    }

    /// Uses up a ticket and returns its session; `nil` if it is unknown or has expired.
    func use(_ ticket: TokenDigest, at now: Timestamp) -> TokenDigest? {
        state.withLock { state in
            guard let found = state.tickets.removeValue(forKey: ticket), now < found.end else { return nil }
            return found.session
        }
    }
}
