/// Plans the writes of the mail queue from the rows that the store found.
public enum MailPlans {
    /// The time in seconds during which only the sender that claimed a mail may try to send it.
    public static let lease: Int64 = 120
    /// The pauses in seconds after each failed attempt; the last one applies to all further ones.
    private static let pauses: [Int64] = [5, 30, 120, 600, 1_800, 3_600, 7_200]

    /// Returns the seconds until another mail of a kind may be sent to an address or about an account; `nil` if it may
    /// be sent now.
    ///
    /// - Parameter earlier: The times of mails of the kind to the address or about the account, within the ``reach(of:)``
    ///   of its limits.
    public static func wait(for kind: Mail.Kind, at now: Timestamp, after earlier: [Timestamp]) -> Int? {
        wait(under: kind.limits, at: now, after: earlier)
    }

    /// Returns what limits need to know of earlier mails: how far back in seconds, and how many, the newest first.
    public static func reach(of limits: [(seconds: Int64, most: Int)]) -> (seconds: Int64, most: Int) {
        (limits.map(\.seconds).max() ?? 0, limits.map(\.most).max() ?? 0)
    }

    private static func wait(
        under limits: [(seconds: Int64, most: Int)], at now: Timestamp, after earlier: [Timestamp]
    ) -> Int? {
        let waits = limits.compactMap { limit -> Int64? in
            let recent = earlier.filter { now < $0.adding(seconds: limit.seconds) }.sorted(by: >)
            // There is room again when the oldest of the newest `most` mails leaves the period.
            guard recent.count >= limit.most, let oldest = recent.prefix(limit.most).last else { return nil }
            return (oldest.adding(seconds: limit.seconds).microseconds - now.microseconds + 999_999) / 1_000_000
        }
        return waits.max().map { Int($0) }
    }

    /// Throws ``MailLimitReached`` if a mail may not be sent now.
    ///
    /// - Parameters:
    ///   - earlier: The times of mails of the kind to the address or about the account, within the ``reach(of:)`` of its
    ///     limits.
    ///   - sent: The times of mails of the kind from the same sender, within the reach of the sender's limits.
    public static func check(
        _ mail: Mail, after earlier: [Timestamp], bySender sent: [Timestamp] = []
    ) throws(MailLimitReached) {
        let waits = [
            wait(for: mail.kind, at: mail.createdAt, after: earlier),
            wait(under: mail.kind.senderLimits, at: mail.createdAt, after: sent),
        ]
        if let wait = waits.compactMap(\.self).max() { throw MailLimitReached(retryAfter: wait) }
    }

    /// Plans to claim due mails for one sender, and to end those that have expired.
    ///
    /// - Parameter rows: The mails that are due and that no other sender has claimed.
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

    /// Plans the end of an attempt. A mail that was sent or permanently refused leaves the queue, even if another
    /// sender has claimed it since; a refused one gets a row in the audit trail of its account. If the attempt is to be
    /// repeated and another sender has claimed the mail since, nothing changes.
    ///
    /// - Parameter row: The mail in the queue; `nil` if it is no longer there.
    /// - Returns: A plan whose value says whether the mail left the queue.
    public static func settlement(
        of claim: MailClaim, as outcome: MailOutcome, at now: Timestamp, found row: MailRow?
    ) -> MailPlan<Bool> {
        guard var row else { return MailPlan([], value: false) }
        switch outcome {
        case .sent, .withdrawn: return MailPlan([.end(row.mail.id)], value: true)
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

/// The error if an address, an account or a sender has reached the limit of mails.
public struct MailLimitReached: Error, Sendable, Equatable {
    /// The seconds until another mail may be sent.
    public let retryAfter: Int
}

/// A change of the stored rows of mails.
public enum MailRowChange: Sendable {
    /// Updates a mail.
    case update(MailRow)
    /// Removes a mail from the queue. For a day, the store keeps that it was written, for the limits, but not its
    /// content.
    case end(String)
}

/// The plan of one write to the mail queue.
public typealias MailPlan<Value: Sendable> = WritePlan<MailRowChange, Value>
