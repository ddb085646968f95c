/// A stored answer under a client's idempotency key, of any age.
public struct AnswerRow: Sendable, Equatable {
    /// The SHA-256 of the request that it answers, or its beginning.
    public let digest: [UInt8]
    /// When it was stored.
    public let at: Timestamp
    /// The answer.
    public let answer: StoredAnswer
    /// The revision of the changed object; `nil` if it has none.
    public let revision: Revision?

    /// Creates an answer as it is stored.
    public init(digest: [UInt8], at: Timestamp, answer: StoredAnswer, revision: Revision?) {
        self.digest = digest
        self.at = at
        self.answer = answer
        self.revision = revision
    }
}

extension IdempotencyKey {
    /// Returns the moment up to which stored answers have expired by `now`.
    public static func horizon(at now: Timestamp) -> Timestamp { now.adding(seconds: -lifetime) }

    /// Returns the answer to repeat; `nil` if the key is new or has expired.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` if the key belongs to another request.
    public func replay(of row: AnswerRow?, at now: Timestamp) throws(StoreError) -> AnswerRow? {
        guard let row, row.at > Self.horizon(at: now) else { return nil }
        guard !row.digest.isEmpty, digest.starts(with: row.digest) else { throw .idempotencyMismatch }
        return row
    }
}

extension KeptAnswer {
    /// Creates the answer found under a key; `nil` if the key is new or has expired.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` if the key belongs to another request.
    public init?(
        found row: AnswerRow?, under key: IdempotencyKey, of account: AccountID, at now: Timestamp
    ) throws(StoreError) {
        guard let row = try key.replay(of: row, at: now) else { return nil }
        self.init(key: key, account: account, at: now, answer: row.answer, revision: row.revision)
    }

    /// Returns the answer if it may be stored, given the row found under its key.
    ///
    /// If two requests use the same key at once, the second one fails here. That undoes its change, and the caller then
    /// finds the first one's answer.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `key`, or ``StoreError/idempotencyMismatch``.
    public func admitted(besides row: AnswerRow?) throws(StoreError) -> KeptAnswer {
        guard try key.replay(of: row, at: at) == nil else { throw .taken(field: "key") }
        return self
    }
}
