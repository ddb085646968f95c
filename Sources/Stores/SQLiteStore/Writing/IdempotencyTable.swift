import SQLite
import Shared

/// Answers kept under the clients' keys.
struct IdempotencyTable {
    /// A kept answer.
    struct Entry {
        let answer: StoredAnswer
        let revision: Revision?
    }

    /// Keys remembered between two purges; each purge removes up to four times as many.
    static let purgeInterval = 64

    let connection: Connection

    /// The answer kept under a key; `nil` when the key is new or older than a day.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` when the key stands for another request.
    func recall(_ key: IdempotencyKey, of account: AccountID, at now: Timestamp) throws -> Entry? {
        let oldest = now.adding(seconds: -IdempotencyKey.lifetime)
        return try connection.first(
            "SELECT digest, status, body, revision FROM idempotency WHERE account = ? AND key = ? AND at > ?",
            .text(account.text), .text(key.key), .integer(oldest.microseconds)
        ) { row in
            guard row.bytes(0) == key.digest else { throw StoreError.idempotencyMismatch }
            return Entry(
                answer: StoredAnswer(status: row.integer(1), body: row.bytes(2)),
                revision: row.optionalText(3).flatMap { Revision(text: $0) })
        }
    }

    /// Keeps an answer, in the place of an expired one.
    func keep(_ entry: Entry, under key: IdempotencyKey, of account: AccountID, at now: Timestamp) throws {
        try connection.run(
            """
            INSERT OR REPLACE INTO idempotency (account, key, digest, status, body, revision, at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .text(account.text), .text(key.key), .blob(key.digest), .integer(entry.answer.status),
            .blob(entry.answer.body), .text(entry.revision?.description), .integer(now.microseconds))
    }

    /// Removes some of the expired keys. Rows are in the order of time, so the oldest are found without an index.
    func purge(at now: Timestamp) throws {
        let oldest = now.adding(seconds: -IdempotencyKey.lifetime)
        try connection.run(
            """
            DELETE FROM idempotency WHERE at <= ?
            AND rowid IN (SELECT rowid FROM idempotency ORDER BY rowid LIMIT ?)
            """,
            .integer(oldest.microseconds), .integer(4 * Self.purgeInterval))
    }
}
