import SQLite
public import Shared

extension SQLiteStore: AnswerStore {
    /// The answer kept under a key.
    public func answer(under key: IdempotencyKey, of account: AccountID, at now: Timestamp) async throws -> KeptAnswer?
    {
        try await read { connection in
            try IdempotencyTable(connection: connection).recall(key, of: account, at: now).map { kept in
                KeptAnswer(key: key, account: account, at: now, answer: kept.answer, revision: kept.revision)
            }
        }
    }

    /// Keeps the answer to what was made elsewhere.
    public func keep(_ kept: KeptAnswer) async throws { try await write { try $0.keep(kept) } }
}

extension WriteTransaction {
    /// Keeps the answer to the change that is under way. Of two requests with the same key at once the second fails
    /// here, which undoes its change; it then finds the first one's answer.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `key`, or ``StoreError/idempotencyMismatch``.
    public func keep(_ kept: KeptAnswer?) throws {
        guard let kept else { return }
        guard try recall(kept.key, of: kept.account, at: kept.at) == nil else { throw StoreError.taken(field: "key") }
        try keep(kept.answer, kept.revision, under: kept.key, of: kept.account, at: kept.at)
    }

    func recall(_ key: IdempotencyKey?, of account: AccountID, at now: Timestamp) throws -> IdempotencyTable.Entry? {
        guard let key else { return nil }
        return try IdempotencyTable(connection: connection).recall(key, of: account, at: now)
    }

    func keep(
        _ answer: StoredAnswer, _ revision: Revision?, under key: IdempotencyKey?, of account: AccountID,
        at now: Timestamp
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
