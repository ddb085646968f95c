public import Cryptography
import Shared

/// Lets the owner of a session open one live connection: a browser's cookie alone never does.
///
/// A ticket stands for the session's token, which is looked at again when the ticket is used.
public struct LiveTickets: Sendable {
    /// Seconds a ticket holds.
    public static let lifetime: Int64 = 30

    private let tickets: OneUseTokens<SecretToken>

    init(clock: WallClock, random: RandomSource) {
        tickets = OneUseTokens(lifetime: Self.lifetime, clock: clock, random: random)
    }

    /// A ticket for the session of that token; `nil` while far too many are out.
    public func issue(for session: SecretToken) -> SecretToken? { tickets.issue(for: session) }

    /// Uses up a ticket: the token of the session it stands for, or `nil`.
    public func redeem(_ ticket: SecretToken) -> SecretToken? { tickets.redeem(ticket) }
}
