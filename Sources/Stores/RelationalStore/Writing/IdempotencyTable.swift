import Database
import Shared

/// The answers stored under clients' idempotency keys.
struct IdempotencyTable {
    /// Number of keys stored between two purges; each purge deletes up to four times as many.
    static let purgeInterval = 64

    let connection: Connection

    /// Returns the row under a key, whatever its age.
    func row(under key: IdempotencyKey, of account: AccountID) throws -> AnswerRow? {
        try connection.first(
            "SELECT digest, at, kind, body, facts, revision FROM idempotency WHERE account = ? AND key = ?",
            .text(account.text), .text(key.key)
        ) { AnswerRow($0, firstColumn: 0) }
    }

    /// Stores an answer, which replaces an expired one.
    func keep(_ kept: KeptAnswer) throws {
        let (answer, digest) = (kept.answer.kept, Array(kept.key.digest.prefix(IdempotencyKey.storedDigest)))
        try connection.run(
            connection.dialect.keepingAnswer,
            .text(kept.account.text), .text(kept.key.key), .blob(digest), .text(answer.kind.rawValue),
            .blob(answer.body), .blob(answer.facts), .text(kept.revision?.description),
            .integer(kept.at.microseconds))
    }

    /// Deletes the oldest answers of an account beyond ``IdempotencyKey/most``, whatever their age. Keys of jobs, which
    /// contain a space, are counted by themselves, so that a job pushes out no key of a person.
    func trim(_ account: AccountID, to most: Int = IdempotencyKey.most) throws {
        try connection.run(
            connection.dialect.trimmingAnswers, .text(account.text), .text(account.text), .integer(most))
    }

    /// Deletes some of the expired keys.
    func purge(at now: Timestamp) throws {
        try connection.run(
            connection.dialect.purgingAnswers,
            .integer(IdempotencyKey.horizon(at: now).microseconds), .integer(4 * Self.purgeInterval))
    }
}

extension AnswerRow {
    /// Reads six columns: digest, at, kind, body, facts, revision.
    init(_ row: borrowing Row, firstColumn first: Int32) {
        self.init(
            digest: row.bytes(first), at: Timestamp(microseconds: Int64(row.integer(first + 1))),
            answer: StoredAnswer(
                StoredAnswer.Kind(rawValue: row.text(first + 2)) ?? .changed, body: row.bytes(first + 3),
                facts: row.optionalBytes(first + 4)),
            revision: row.optionalText(first + 5).flatMap { Revision(text: $0) })
    }
}

extension Dialect {
    /// Stores an answer, which replaces one under the same key. In SQLite it goes behind all others.
    fileprivate var keepingAnswer: String {
        switch self {
        case .sqlite:
            """
            INSERT OR REPLACE INTO idempotency (account, key, digest, kind, body, facts, revision, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .postgreSQL:
            """
            INSERT INTO idempotency (account, key, digest, kind, body, facts, revision, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, key) DO UPDATE SET digest = excluded.digest, kind = excluded.kind,
            body = excluded.body, facts = excluded.facts, revision = excluded.revision, at = excluded.at
            """
        }
    }

    /// Deletes an account's answers beyond a number of bytes, the oldest first; in PostgreSQL except those that another node
    /// deletes or replaces at this moment.
    fileprivate var trimmingAnswers: String {
        let superfluous = """
            SELECT key FROM (
                SELECT key, sum(\(KeptAnswer.base) + length(body) + coalesce(length(facts), 0))
                    OVER (PARTITION BY instr(key, ' ') > 0 ORDER BY at DESC, key) AS total
                FROM idempotency WHERE account = ?
            ) AS counted WHERE total > ?
            """
        switch self {
        case .sqlite: return "DELETE FROM idempotency WHERE account = ? AND key IN (\(superfluous))"
        case .postgreSQL:
            return """
                DELETE FROM idempotency WHERE (account, key) IN (
                    SELECT account, key FROM idempotency WHERE account = ? AND key IN (\(superfluous))
                    FOR UPDATE SKIP LOCKED)
                """
        }
    }

    /// Deletes answers of before a time, the oldest first; in PostgreSQL except those that another node deletes or replaces
    /// at this moment. In SQLite rows are in order of time, so that the oldest are found without an index, which each answer
    /// would pay for.
    fileprivate var purgingAnswers: String {
        switch self {
        case .sqlite:
            """
            DELETE FROM idempotency WHERE at <= ?
            AND rowid IN (SELECT rowid FROM idempotency ORDER BY rowid LIMIT ?)
            """
        case .postgreSQL:
            """
            DELETE FROM idempotency WHERE (account, key) IN (
                SELECT account, key FROM idempotency WHERE at <= ? ORDER BY at LIMIT ? FOR UPDATE SKIP LOCKED)
            """
        }
    }
}
