import SQLite
public import Shared

extension SQLiteStore: AnswerStore {
    /// The answer kept under a key.
    public func answer(under key: IdempotencyKey, of account: AccountID, at now: Timestamp) async throws -> KeptAnswer?
    {
        let row = try await read { try IdempotencyTable(connection: $0).row(under: key, of: account) }
        return try KeptAnswer(found: row, under: key, of: account, at: now)
    }
}

extension WriteTransaction {
    /// Keeps the answer to the change that is under way, unless there is one under its key.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `key`, or ``StoreError/idempotencyMismatch``.
    public func keep(_ kept: KeptAnswer?) throws { try store(try admitted(kept)) }

    /// What is stored of an answer that is to be kept, beside what lies under its key.
    func admitted(_ kept: KeptAnswer?) throws -> KeptAnswer? {
        guard let kept else { return nil }
        return try kept.admitted(besides: try answerRow(under: kept.key, of: kept.account))
    }

    /// What lies under a client's key.
    func answerRow(under key: IdempotencyKey?, of account: AccountID) throws -> AnswerRow? {
        guard let key else { return nil }
        return try IdempotencyTable(connection: connection).row(under: key, of: account)
    }

    /// Stores an answer that is to be kept.
    func store(_ kept: KeptAnswer?) throws {
        guard let kept else { return }
        let table = IdempotencyTable(connection: connection)
        if keysSincePurge >= IdempotencyTable.purgeInterval {
            try table.purge(at: kept.at)
            keysSincePurge = 0
        }
        try table.keep(kept)
        keysSincePurge += 1
    }
}
