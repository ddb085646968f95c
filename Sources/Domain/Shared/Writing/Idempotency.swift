/// A client's promise that a request with this key is the same request.
public struct IdempotencyKey: Sendable, Hashable {
    /// How long a key is remembered, in seconds: one day.
    public static let lifetime: Int64 = 86_400

    /// 1–128 visible ASCII characters; its scope is the account.
    public let key: String
    /// SHA-256 over method, path and body.
    public let digest: [UInt8]

    /// A key and what it stands for.
    public init(key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// An answer to keep under a client's key, in the transaction of the change that it tells of.
public struct KeptAnswer: Sendable, Equatable {
    /// The key and what it stands for.
    public let key: IdempotencyKey
    /// Whose key.
    public let account: AccountID
    /// From when on it is remembered.
    public let at: Timestamp
    /// The answer.
    public let answer: StoredAnswer
    /// The revision of what was made, for its ETag; `nil` for none.
    public let revision: Revision?

    /// An answer to keep.
    public init(
        key: IdempotencyKey, account: AccountID, at: Timestamp, answer: StoredAnswer, revision: Revision? = nil
    ) {
        self.key = key
        self.account = account
        self.at = at
        self.answer = answer
        self.revision = revision
    }
}

/// A store of answers under the keys of clients. The calls that make something take the answer to keep with it.
public protocol AnswerStore: Sendable {
    /// The answer kept under a key; `nil` when the key is new or too old.
    ///
    /// - Throws: ``StoreError/idempotencyMismatch`` when the key stands for another request.
    func answer(under key: IdempotencyKey, of account: AccountID, at now: Timestamp) async throws -> KeptAnswer?
}

/// An answer that can be given again.
public struct StoredAnswer: Sendable, Equatable {
    /// What became of the request. Stores keep the name of the case.
    public enum Kind: String, Sendable, CaseIterable {
        /// Something new was made.
        case created
        /// What was there has changed, or was already as requested.
        case changed
        /// The work has begun and goes on after the answer.
        case begun
        /// It is gone; the answer has no body.
        case deleted
    }

    /// What became of the request.
    public let kind: Kind
    /// The body.
    public let body: [UInt8]

    /// An answer.
    public init(_ kind: Kind, body: [UInt8]) {
        self.kind = kind
        self.body = body
    }
}
