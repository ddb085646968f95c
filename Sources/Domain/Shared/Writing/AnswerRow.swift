/// An answer as it lies under a client's key, however old it is.
public struct AnswerRow: Sendable, Equatable {
    /// SHA-256 over the request that it answers.
    public let digest: [UInt8]
    /// When it was kept.
    public let at: Timestamp
    /// The answer.
    public let answer: StoredAnswer
    /// The revision of what was made; `nil` for none.
    public let revision: Revision?

    /// An answer as it is stored.
    public init(digest: [UInt8], at: Timestamp, answer: StoredAnswer, revision: Revision?) {
        self.digest = digest
        self.at = at
        self.answer = answer
        self.revision = revision
    }
}

extension IdempotencyKey {
    /// What was kept at that moment, or before it, is forgotten by `now`.
    public static func horizon(at now: Timestamp) -> Timestamp { now.adding(seconds: -lifetime) }

    /// The answer to give again; `nil` when the key is new or forgotten.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` when the key stands for another request.
    public func replay(of row: AnswerRow?, at now: Timestamp) throws(StoreError) -> AnswerRow? {
        guard let row, row.at > Self.horizon(at: now) else { return nil }
        guard row.digest == digest else { throw .idempotencyMismatch }
        return row
    }
}

extension KeptAnswer {
    /// An answer found under a key; `nil` when the key is new or forgotten.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` when the key stands for another request.
    public init?(
        found row: AnswerRow?, under key: IdempotencyKey, of account: AccountID, at now: Timestamp
    ) throws(StoreError) {
        guard let row = try key.replay(of: row, at: now) else { return nil }
        self.init(key: key, account: account, at: now, answer: row.answer, revision: row.revision)
    }

    /// The answer, if it may be stored beside the row that lies under its key.
    ///
    /// Of two requests with the same key at once the second fails here, which undoes its change; it then finds the
    /// first one's answer.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `key`, or ``StoreError/idempotencyMismatch``.
    public func admitted(besides row: AnswerRow?) throws(StoreError) -> KeptAnswer {
        guard try key.replay(of: row, at: at) == nil else { throw .taken(field: "key") }
        return self
    }
}
