import SQLite
import Shared

/// The answers stored under clients' idempotency keys.
struct IdempotencyTable {
    /// Number of keys stored between two purges; each purge deletes up to four times as many.
    static let purgeInterval = 64

    let connection: Connection

    /// Returns the row under a key, whatever its age.
    func row(under key: IdempotencyKey, of account: AccountID) throws -> AnswerRow? {
        try connection.first(
            "SELECT digest, at, kind, body, revision FROM idempotency WHERE account = ? AND key = ?",
            .text(account.text), .text(key.key)
        ) { row in
            AnswerRow(
                digest: row.bytes(0), at: Timestamp(microseconds: Int64(row.integer(1))),
                answer: StoredAnswer(StoredAnswer.Kind(rawValue: row.text(2)) ?? .changed, body: row.bytes(3)),
                revision: row.optionalText(4).flatMap { Revision(text: $0) })
        }
    }

    /// Stores an answer, which replaces an expired one.
    func keep(_ kept: KeptAnswer) throws {
        try connection.run(
            """
            INSERT OR REPLACE INTO idempotency (account, key, digest, kind, body, revision, at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .text(kept.account.text), .text(kept.key.key), .blob(kept.key.digest), .text(kept.answer.kind.rawValue),
            .blob(kept.answer.body), .text(kept.revision?.description), .integer(kept.at.microseconds))
    }

    /// Deletes some of the expired keys. Rows are in order of time, so the oldest are found without an index.
    func purge(at now: Timestamp) throws {
        try connection.run(
            """
            DELETE FROM idempotency WHERE at <= ?
            AND rowid IN (SELECT rowid FROM idempotency ORDER BY rowid LIMIT ?)
            """,
            .integer(IdempotencyKey.horizon(at: now).microseconds), .integer(4 * Self.purgeInterval))
    }
}
