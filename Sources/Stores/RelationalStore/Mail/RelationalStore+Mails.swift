import Database
import GradingKit
public import Shared

extension RelationalStore: MailStore {
    /// Claims mails that are due.
    public func claimMails(_ limit: Int, at now: Timestamp) async throws -> (claims: [MailClaim], expired: [Mail]) {
        // Usually nothing is due, and finding that out must not cost a write.
        guard try await read({ try !$0.dueMails(1, at: now).isEmpty }) else { return ([], []) }
        return try await write { transaction in
            try transaction.apply(MailPlans.claim(try transaction.connection.dueMails(limit, at: now), at: now))
        }
    }

    /// Stores the outcome of an attempt to send a mail; returns whether the mail is finished.
    public func settle(_ claim: MailClaim, as outcome: MailOutcome, at now: Timestamp) async throws -> Bool {
        try await write { transaction in
            let row = try transaction.connection.waitingMail(claim.mail.id)
            return try transaction.apply(MailPlans.settlement(of: claim, as: outcome, at: now, found: row))
        }
    }

    /// Returns the number of waiting mails.
    public func waitingMails() async throws -> Int {
        try await read { try $0.first("SELECT count(*) FROM mails WHERE due_at IS NOT NULL") { $0.integer(0) } ?? 0 }
    }

    /// Deletes mails that no longer wait and were created before `moment`.
    public func forgetMails(before moment: Timestamp) async throws {
        try await write { transaction in
            try transaction.connection.run(
                "DELETE FROM mails WHERE due_at IS NULL AND created_at < ?", .integer(moment.microseconds))
        }
    }
}

extension Connection {
    private static let mailColumns =
        """
        id, kind, recipient, account, subject, language, particulars, created_at, expires_at, due_at, leased_until,
        attempts, sender
        """

    fileprivate func dueMails(_ limit: Int, at now: Timestamp) throws -> [MailRow] {
        try all(
            """
            SELECT \(Self.mailColumns) FROM mails
            WHERE due_at <= ?1 AND ifnull(leased_until, 0) <= ?1 ORDER BY due_at LIMIT ?2
            """,
            .integer(now.microseconds), .integer(limit)
        ) { Self.mail($0) }.compactMap(\.self)
    }

    fileprivate func waitingMail(_ id: String) throws -> MailRow? {
        try first("SELECT \(Self.mailColumns) FROM mails WHERE id = ? AND due_at IS NOT NULL", .text(id)) {
            Self.mail($0)
        } ?? nil
    }

    /// Returns when mails of a kind were created for an address or an account, as far as its limits reach back from
    /// `now`.
    func earlierMails(_ kind: Mail.Kind, to address: EmailAddress?, about account: AccountID?, at now: Timestamp) throws
        -> [Timestamp]
    {
        let reach = MailPlans.reach(of: kind.limits)
        return try all(
            """
            SELECT created_at FROM mails WHERE kind = ?1 AND (recipient_key = ?2 OR account = ?3) AND created_at > ?4
            ORDER BY created_at DESC LIMIT ?5
            """,
            .text(kind.rawValue), .text(address?.key), .text(account?.text),
            .integer(now.adding(seconds: -reach.seconds).microseconds), .integer(reach.most)
        ) { Timestamp(microseconds: Int64($0.integer(0))) }
    }

    /// Returns when mails of a kind by the same sender were created, as far as the sender's limits reach back from `now`.
    /// All service accounts of an institution count as one sender.
    func sentMails(_ kind: Mail.Kind, by sender: AccountID, at now: Timestamp) throws -> [Timestamp] {
        let reach = MailPlans.reach(of: kind.senderLimits)
        return try all(
            """
            SELECT created_at FROM mails WHERE kind = ? AND created_at > ? AND sender IN (
                SELECT ?
                UNION SELECT id FROM accounts
                WHERE service_of = (SELECT service_of FROM accounts WHERE id = ?))
            ORDER BY created_at DESC LIMIT ?
            """,
            .text(kind.rawValue), .integer(now.adding(seconds: -reach.seconds).microseconds),
            .text(sender.text), .text(sender.text), .integer(reach.most)
        ) { Timestamp(microseconds: Int64($0.integer(0))) }
    }

    private static func mail(_ row: borrowing Row) -> MailRow? {
        guard let kind = Mail.Kind(rawValue: row.text(1)) else { return nil }
        let particulars = (try? JSON.parse(row.bytes(6)))?.object ?? JSONObject()
        let mail = Mail(
            id: row.text(0), kind, to: EmailAddress(stored: row.text(2)),
            about: row.optionalText(3).map { AccountID($0) }, from: row.optionalText(12).map { AccountID($0) },
            subject: row.optionalText(4),
            in: Language(rawValue: row.text(5)) ?? .english,
            particulars.reduce(into: [:]) { $0[$1.name] = $1.value.string },
            at: Timestamp(microseconds: Int64(row.integer(7))), until: Timestamp(microseconds: Int64(row.integer(8))))
        return MailRow(
            mail, dueAt: Timestamp(microseconds: Int64(row.integer(9))),
            leasedUntil: row.optionalInteger(10).map { Timestamp(microseconds: Int64($0)) }, attempts: row.integer(11))
    }
}

extension WriteTransaction {
    /// Queues a mail to be sent at once.
    func queue(_ mail: Mail) throws {
        try hold(.trails)
        noteMail()
        let particulars = mail.particulars.sorted { $0.key < $1.key }
            .reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) }
        try connection.run(
            """
            INSERT INTO mails (
                id, kind, recipient, recipient_key, account, subject, language, particulars, created_at, expires_at,
                due_at, sender, attempts)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            """,
            .text(mail.id), .text(mail.kind.rawValue), .text(mail.recipient.text), .text(mail.recipient.key),
            .text(mail.account?.text), .text(mail.subject), .text(mail.language.rawValue),
            .utf8(JSON.object(particulars).bytes), .integer(mail.createdAt.microseconds),
            .integer(mail.expiresAt.microseconds), .integer(mail.createdAt.microseconds), .text(mail.sender?.text))
    }

    fileprivate func apply<Value>(_ plan: MailPlan<Value>) throws -> Value {
        try apply(plan) { change in
            switch change {
            case .update(let row):
                try connection.run(
                    "UPDATE mails SET due_at = ?, leased_until = ?, attempts = ? WHERE id = ?",
                    .integer(row.dueAt.microseconds), .integer(row.leasedUntil?.microseconds), .integer(row.attempts),
                    .text(row.mail.id))
            case .end(let id): try endMails("id = ?", .text(id))
            }
        }
    }

    /// Marks the matching mails as no longer waiting.
    func endMails(_ condition: String, _ values: SQLValue...) throws {
        try connection.run(
            "UPDATE mails SET due_at = NULL, leased_until = NULL, particulars = '{}' WHERE due_at IS NOT NULL AND "
                + condition, values)
    }
}
