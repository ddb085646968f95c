import SQLite
public import Storage

extension WriteTransaction {
    /// Does something once a key: a known key gives the first answer again, and `perform` is not called.
    ///
    /// Of two requests with the same key at once, the second finds the first one's answer. What `perform` throws
    /// keeps nothing; an answer outside 200…299 is not kept.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` when the key stands for another request.
    public func idempotent(
        _ key: IdempotencyKey?, account: AccountID, at now: Instant, _ perform: () throws -> StoredAnswer
    ) throws -> (answer: StoredAnswer, isReplay: Bool) {
        if let kept = try recall(key, of: account, at: now) { return (kept.answer, true) }
        let answer = try perform()
        try keep(answer, nil, under: key, of: account, at: now)
        return (answer, false)
    }

    func recall(_ key: IdempotencyKey?, of account: AccountID, at now: Instant) throws -> IdempotencyTable.Entry? {
        guard let key else { return nil }
        return try IdempotencyTable(connection: connection).recall(key, of: account, at: now)
    }

    func keep(
        _ answer: StoredAnswer, _ revision: Revision?, under key: IdempotencyKey?, of account: AccountID,
        at now: Instant
    ) throws {
        guard let key, (200...299).contains(answer.status) else { return }
        let table = IdempotencyTable(connection: connection)
        if keysSincePurge >= IdempotencyTable.purgeInterval {
            try table.purge(at: now)
            keysSincePurge = 0
        }
        try table.keep(.init(answer: answer, revision: revision), under: key, of: account, at: now)
        keysSincePurge += 1
    }
}
