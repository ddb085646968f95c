public import Cryptography
import Shared

/// Lets the owner of a session open one live connection: a browser's cookie alone never does.
///
/// A ticket stands for the session's token, which is looked at again when the ticket is used.
public struct LiveTickets: Sendable {
    /// Seconds a ticket holds.
    public static let lifetime: Int64 = 30

    let store: any AccountStore
    let sessions: Sessions
    let clock: WallClock
    let random: RandomSource

    /// A ticket for the session of that token; `nil` while far too many are out.
    public func issue(for session: SecretToken) async throws -> SecretToken? {
        let (ticket, now) = (SecretToken(random: random), clock.now)
        let meaning = OneUseToken(.session(session.digest), expiresAt: now.adding(seconds: Self.lifetime))
        return try await store.issue(meaning, digest: ticket.digest, at: now) ? ticket : nil
    }

    /// Uses up a ticket: the owner of the session it stands for, or `nil`.
    public func redeem(_ ticket: SecretToken) async throws -> SignedIn? {
        let found = try await store.redeem(ticket.digest, at: clock.now) { $0.kind == .liveTicket }
        guard case .session(let session)? = found?.meaning else { return nil }
        return try await sessions.authenticate(session)
    }
}
