import Database
public import People
public import Shared

extension RelationalStore {
    /// Returns an account's choices of notices.
    public func noticeChoices(of account: AccountID) async throws -> NoticeChoices {
        try await read { connection in
            try connection.first(
                "SELECT muted, now, daily, figures FROM notice_choices WHERE account = ?", .text(account.text)
            ) { NoticeChoices($0, firstColumn: 0) } ?? NoticeChoices()
        }
    }

    /// Stores an account's choices of notices.
    public func setNoticeChoices(
        _ choices: NoticeChoices, of account: AccountID, audit: AuditEntry
    ) async throws {
        try await write { transaction in
            try transaction.connection.run(
                """
                INSERT INTO notice_choices (account, muted, now, daily, figures)
                SELECT id, ?2, ?3, ?4, ?5 FROM accounts WHERE id = ?1
                ON CONFLICT (account) DO UPDATE SET muted = excluded.muted, now = excluded.now,
                daily = excluded.daily, figures = excluded.figures
                """, .text(account.text), .integer(choices.muted.rawValue), .integer(choices.now.rawValue),
                .integer(choices.daily.rawValue), .boolean(choices.showsFigures))
            try transaction.audit(audit)
        }
    }

    /// Returns those who wish mails of people's events.
    public func noticeReaders(of events: [FeedEvent]) async throws -> [NoticeReader] {
        try await browse { connection in
            guard try connection.hasNoticeReaders() else { return [] }
            return try events.flatMap { event -> [NoticeReader] in
                guard case .account(let id) = event.stream else { return [] }
                let followers = "SELECT follower FROM follows WHERE followed = ?2 AND state = 'following' LIMIT ?3"
                let isShown = event.types.contains(FeedType.friendHeadline.alone)
                let place =
                    isShown ? "account IN (SELECT ?2 UNION ALL SELECT * FROM (\(followers)) AS others)" : "account = ?2"
                return try connection.all(
                    "SELECT \(NoticeReader.columns) AND \(place) LIMIT ?3", .integer(event.types.rawValue),
                    .text(id.text),
                    .integer(FollowCounts.limit)
                ) { NoticeReader($0, of: event) }
            }
        }
    }

    /// Returns those who wish mails of an event of an institution, its registrars or a class, ordered by account.
    public func noticeReaders(
        of event: FeedEvent, after cursor: AccountID?, limit: Int
    ) async throws -> [NoticeReader] {
        guard let (place, isReader) = event.stream.readers else { return [] }
        return try await browse { connection in
            guard try connection.hasNoticeReaders() else { return [] }
            return try connection.all(
                "SELECT \(NoticeReader.columns) AND account > ?2 AND (\(isReader)) ORDER BY account LIMIT ?4",
                .integer(event.types.rawValue), .text(cursor?.text ?? ""), .text(place), .integer(limit)
            ) { NoticeReader($0, of: event) }
        }
    }

    /// Returns the notices that are due.
    public func dueNotices(at now: Timestamp, limit: Int) async throws -> [FeedDue] {
        try await read { connection in
            try connection.all(
                """
                SELECT account, pace, at, turn, first, (SELECT events FROM feed_progress), since FROM notices_due
                WHERE at <= ? ORDER BY at LIMIT ?
                """, .integer(now.microseconds), .integer(limit)
            ) { row in
                let (first, last) = (row.integer(4), row.integer(5))
                return NoticePace(rawValue: row.text(1)).map {
                    FeedDue(
                        AccountID(row.text(0)), $0, at: Timestamp(microseconds: Int64(row.integer(2))),
                        since: Timestamp(microseconds: Int64(row.integer(6))), turn: row.integer(3),
                        events: first..<max(first, last + 1))
                }
            }.compactMap(\.self)
        }
    }

    /// Ends a notice, and queues its mail.
    public func settle(_ due: FeedDue, mail: Mail?) async throws {
        try await write { transaction in
            let connection = transaction.connection
            // One that another event has joined in the meantime stays, since the mail does not tell of it.
            try connection.run(
                "DELETE FROM notices_due WHERE account = ? AND pace = ? AND at = ? AND turn = ?",
                .text(due.account.text), .text(due.pace.rawValue), .integer(due.at.microseconds),
                .integer(due.turn))
            guard try connection.changes > 0, let mail else { return }
            let earlier = try connection.earlierMails(
                mail.kind, to: nil, about: mail.account, at: mail.createdAt)
            if let later = due.putOff(insteadOf: mail, after: earlier) {
                try connection.insert(later, from: due.events.lowerBound)
            } else {
                try transaction.queue(mail)
            }
        }
    }
}

extension NoticeChoices {
    fileprivate init(_ row: borrowing Row, firstColumn first: Int32) {
        self.init(
            muted: FeedTypes(rawValue: row.integer(first)), now: FeedTypes(rawValue: row.integer(first + 1)),
            daily: FeedTypes(rawValue: row.integer(first + 2)), showsFigures: row.boolean(first + 3))
    }
}

extension FeedStream {
    /// The place that is read by many, and the condition that an account `c` reads what happens at `?3`; `nil` for a person.
    fileprivate var readers: (place: String, condition: String)? {
        switch self {
        case .account: nil
        case .institution(let id):
            (
                id.text,
                """
                EXISTS (SELECT 1 FROM memberships AS m WHERE m.institution = ?3 AND m.account = c.account)
                OR EXISTS (SELECT 1 FROM grants AS g WHERE g.institution = ?3 AND g.account = c.account)
                OR EXISTS (SELECT 1 FROM records AS r WHERE r.student = c.account AND r.institution = ?3)
                """
            )
        case .registrars(let id):
            (
                id.text,
                """
                EXISTS (SELECT 1 FROM memberships AS m
                WHERE m.institution = ?3 AND m.account = c.account AND m.role = 'registrar')
                """
            )
        case .taughtClass(let id):
            (
                id.text,
                """
                EXISTS (SELECT 1 FROM enrolments AS e JOIN classes AS k ON k.number = e.class
                WHERE k.id = ?3 AND e.student = c.account AND e.withdrawn = 0)
                """
            )
        }
    }
}

extension NoticeReader {
    /// The columns that ``init(_:of:)`` reads, of those who wish mails of the types `?1`.
    fileprivate static let columns = """
        account, muted, now, daily, figures FROM notice_choices AS c
        WHERE (now <> 0 OR daily <> 0) AND (now | daily) & ?1 <> 0
        """

    fileprivate init(_ row: borrowing Row, of event: FeedEvent) {
        self.init(
            account: AccountID(row.text(0)), choices: NoticeChoices(row, firstColumn: 1), event: event)
    }
}

extension Connection {
    fileprivate func hasNoticeReaders() throws -> Bool {
        try first("SELECT 1 FROM notice_choices WHERE now <> 0 OR daily <> 0 LIMIT 1") { $0.boolean(0) } ?? false
    }
}
