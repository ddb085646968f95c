import Database
public import Shared

extension RelationalStore: AnswerStore {
    /// Returns the answer stored under a key.
    public func answer(under key: IdempotencyKey, of account: AccountID, at now: Timestamp) async throws -> KeptAnswer?
    {
        let row = try await read { try IdempotencyTable(connection: $0).row(under: key, of: account) }
        return try KeptAnswer(found: row, under: key, of: account, at: now)
    }
}

extension WriteTransaction {
    /// Stores the answer to the current change, unless its key already has one.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `key`, or ``StoreError/idempotencyMismatch``.
    public func keep(_ kept: KeptAnswer?) throws { try store(try admitted(kept)) }

    /// Returns the answer to store, after checking it against the row under its key.
    func admitted(_ kept: KeptAnswer?) throws -> KeptAnswer? {
        guard let kept else { return nil }
        return try kept.admitted(besides: try answerRow(under: kept.key, of: kept.account))
    }

    /// Returns the row under a client's key.
    func answerRow(under key: IdempotencyKey?, of account: AccountID) throws -> AnswerRow? {
        guard let key else { return nil }
        try hold(.answer(account, key: key.key))
        if let foreseen = foreseenAnswer(under: key, of: account) { return foreseen }
        return try IdempotencyTable(connection: connection).row(under: key, of: account)
    }

    /// Stores an answer that was admitted.
    func store(_ kept: KeptAnswer?) throws {
        guard let kept else { return }
        let table = IdempotencyTable(connection: connection)
        if keysSincePurge >= IdempotencyTable.purgeInterval {
            try table.purge(at: kept.at)
            keysSincePurge = 0
        }
        if let account = answerTally.note(kept) { try table.trim(account) }
        try table.keep(kept)
        noteAnswer(under: kept.key, of: kept.account)
        keysSincePurge += 1
    }
}
