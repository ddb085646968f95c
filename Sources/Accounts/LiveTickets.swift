public import Cryptography
import Storage
private import Synchronization

/// Lets the owner of a session open one live connection: a browser's cookie alone never does.
///
/// A ticket stands for the session's token, which is looked at again when the ticket is used.
/// A ticket is used once within 30 seconds. Tickets are kept in memory: a client whose server has restarted asks
/// for another one.
public final class LiveTickets: Sendable {
    /// Seconds a ticket holds.
    public static let lifetime: Int64 = 30

    private static let capacity = 50_000
    private let clock: WallClock
    private let random: RandomSource
    private let tickets = Mutex<[TokenDigest: (session: SecretToken, expiresAt: Instant)]>([:])

    init(clock: WallClock, random: RandomSource) {
        self.clock = clock
        self.random = random
    }

    /// A ticket for the session of that token; `nil` while far too many are out.
    public func issue(for session: SecretToken) -> SecretToken? {
        let now = clock.now
        let ticket = SecretToken(random: random)
        return tickets.withLock { tickets in
            if tickets.count >= LiveTickets.capacity {
                tickets = tickets.filter { now < $0.value.expiresAt }
                if tickets.count >= LiveTickets.capacity { return nil }
            }
            tickets[ticket.digest] = (session, now.adding(seconds: LiveTickets.lifetime))
            return ticket
        }
    }

    /// Uses up a ticket: the token of the session it stands for, or `nil`.
    public func redeem(_ ticket: SecretToken) -> SecretToken? {
        let now = clock.now
        guard let found = tickets.withLock({ $0.removeValue(forKey: ticket.digest) }), now < found.expiresAt else {
            return nil
        }
        return found.session
    }
}
