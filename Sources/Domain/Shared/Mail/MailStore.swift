/// Where mails wait to be sent. They come in with the changes that they tell of (``WritePlan/mails``).
public protocol MailStore: Sendable {
    /// Claims up to `limit` mails that are due for ``MailPlans/lease`` seconds, in which no other sender gets them.
    /// Also returns those that have expired, and ends them.
    func claimMails(_ limit: Int, at now: Timestamp) async throws -> (claims: [MailClaim], expired: [Mail])

    /// Says what became of a mail that was taken; answers whether it has ended.
    func settle(_ claim: MailClaim, as outcome: MailOutcome, at now: Timestamp) async throws -> Bool

    /// How many mails wait.
    func waitingMails() async throws -> Int

    /// Forgets the mails that were written before `moment` and wait no longer.
    func forgetMails(before moment: Timestamp) async throws
}
