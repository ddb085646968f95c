/// The mail queue. Mails enter it with the changes that they report (``WritePlan/mails``).
public protocol MailStore: Sendable {
    /// Claims up to `limit` due mails for ``MailPlans/lease`` seconds, during which no other sender gets them. Also
    /// ends expired mails and returns them.
    func claimMails(_ limit: Int, at now: Timestamp) async throws -> (claims: [MailClaim], expired: [Mail])

    /// Stores the outcome of an attempt; returns whether the mail left the queue.
    func settle(_ claim: MailClaim, as outcome: MailOutcome, at now: Timestamp) async throws -> Bool

    /// Returns the number of mails in the queue.
    func waitingMails() async throws -> Int

    /// Removes what is left of mails that were written before `moment` and are no longer in the queue.
    func forgetMails(before moment: Timestamp) async throws
}
