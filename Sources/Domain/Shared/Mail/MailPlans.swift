/// The rules of mails that wait to be sent, over the rows that a store has found.
public enum MailPlans {
    /// For how many seconds a sender that has claimed a mail may try to send it.
    public static let lease: Int64 = 120
    /// Seconds until the next attempt, after each; the last one counts for all others.
    private static let pauses: [Int64] = [5, 30, 120, 600, 1_800, 3_600, 7_200]

    /// Seconds until another mail of a kind may be sent to an address or about an account; `nil` for none.
    ///
    /// - Parameter earlier: when mails of the kind to the address, or about the account, were written within a day.
    public static func wait(for kind: Mail.Kind, at now: Timestamp, after earlier: [Timestamp]) -> Int? {
        wait(under: kind.limits, at: now, after: earlier)
    }

    private static func wait(
        under limits: [(seconds: Int64, most: Int)], at now: Timestamp, after earlier: [Timestamp]
    ) -> Int? {
        let waits = limits.compactMap { limit -> Int64? in
            let recent = earlier.filter { now < $0.adding(seconds: limit.seconds) }.sorted(by: >)
            // Room is where the oldest of the mails that fill it is that old.
            guard recent.count >= limit.most, let oldest = recent.prefix(limit.most).last else { return nil }
            return (oldest.adding(seconds: limit.seconds).microseconds - now.microseconds + 999_999) / 1_000_000
        }
        return waits.max().map { Int($0) }
    }

    /// Throws ``MailLimitReached`` where no other mail of a kind may be sent now.
    ///
    /// - Parameters:
    ///   - earlier: when mails of the kind to the address, or about the account, were written within a day.
    ///   - sent: when mails of the kind were written within a day that the same person has sent.
    public static func check(
        _ mail: Mail, after earlier: [Timestamp], bySender sent: [Timestamp] = []
    ) throws(MailLimitReached) {
        let waits = [
            wait(for: mail.kind, at: mail.createdAt, after: earlier),
            wait(under: mail.kind.senderLimits, at: mail.createdAt, after: sent),
        ]
        if let wait = waits.compactMap(\.self).max() { throw MailLimitReached(retryAfter: wait) }
    }

    /// Claims mails that are due for one sender; mails that have expired end.
    ///
    /// - Parameter rows: mails that are due and that no other sender has claimed.
    public static func claim(_ rows: [MailRow], at now: Timestamp) -> MailPlan<(claims: [MailClaim], expired: [Mail])> {
        var (changes, claims, expired): ([MailRowChange], [MailClaim], [Mail]) = ([], [], [])
        for var row in rows {
            if row.mail.expiresAt <= now {
                changes.append(.end(row.mail.id))
                expired.append(row.mail)
                continue
            }
            row.attempts += 1
            row.leasedUntil = now.adding(seconds: lease)
            changes.append(.update(row))
            claims.append(MailClaim(mail: row.mail, attempt: row.attempts))
        }
        return MailPlan(changes, value: (claims, expired))
    }

    /// What an attempt leaves. An attempt that took so long that the mail was taken by another changes nothing, unless
    /// the mail was sent: it is not sent again then. A mail that is refused for ever gets a line in the trail of its
    /// account.
    ///
    /// - Parameter row: the mail as it waits; `nil` for one that waits no longer.
    /// - Returns: a plan whose value says whether the mail ended.
    public static func settlement(
        of claim: MailClaim, as outcome: MailOutcome, at now: Timestamp, found row: MailRow?
    ) -> MailPlan<Bool> {
        guard var row else { return MailPlan([], value: false) }
        switch outcome {
        case .sent: return MailPlan([.end(row.mail.id)], value: true)
        case .refused(let code):
            let act = AuditContext(by: nil, from: "server", at: now)
            let detail = "{\"kind\":\"\(row.mail.kind.rawValue)\",\"reply\":\(code)}"
            let lines = row.mail.account.map { act.entry("mail.refused", of: $0.text, detail: Array(detail.utf8)) }
            return MailPlan([.end(row.mail.id)], audit: lines.map { [$0] } ?? [], value: true)
        case .postponed:
            guard row.attempts == claim.attempt else { return MailPlan([], value: false) }
            row.dueAt = now.adding(seconds: pauses[min(max(claim.attempt, 1), pauses.count) - 1])
            row.leasedUntil = nil
            if row.dueAt < row.mail.expiresAt { return MailPlan([.update(row)], value: false) }
            return MailPlan([.end(row.mail.id)], value: true)
        }
    }
}

/// As many mails as may be were sent lately to an address, about an account, or by one sender.
public struct MailLimitReached: Error, Sendable, Equatable {
    /// Seconds until another one may be sent.
    public let retryAfter: Int
}

/// A change of the rows that mails are kept in.
public enum MailRowChange: Sendable {
    /// A mail's new values.
    case update(MailRow)
    /// A mail waits no longer. That it was written is remembered for a day, so that mails can be counted; what it said
    /// is not.
    case end(String)
}

/// What one write does to mails.
public typealias MailPlan<Value: Sendable> = WritePlan<MailRowChange, Value>
