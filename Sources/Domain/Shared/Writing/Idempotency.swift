/// An idempotency key, with which a client marks repetitions of the same request.
public struct IdempotencyKey: Sendable, Hashable {
    /// The time that a key is stored, in seconds: one day.
    public static let lifetime: Int64 = 86_400
    /// The bytes of a digest that are stored. More would tell requests of one account apart no better.
    public static let storedDigest = 16
    /// The most that an account has stored under its keys, in bytes as ``KeptAnswer/weight`` counts them; beyond it the
    /// oldest are forgotten before their time. Keys of the server's own jobs have as much again for themselves.
    public static let most = 8 << 20

    /// The key: 1–128 visible ASCII characters, unique within the account.
    public let key: String
    /// The SHA-256 of the request: what it asks for and of what.
    public let digest: [UInt8]

    /// Creates a key with the digest of its request.
    public init(key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// An answer to store under a client's key, in the transaction of the change that it answers.
public struct KeptAnswer: Sendable, Equatable {
    /// The key with the digest of its request.
    public let key: IdempotencyKey
    /// The account that uses the key.
    public let account: AccountID
    /// When the answer is stored.
    public let at: Timestamp
    /// The answer.
    public let answer: StoredAnswer
    /// The revision of the changed object; `nil` if it has none.
    public let revision: Revision?

    /// Creates an answer to store.
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

extension KeptAnswer {
    /// What a key is counted for, besides what is kept of its answer.
    public static let base = 256

    /// What the answer is counted for against ``IdempotencyKey/most``.
    public var weight: Int { Self.base + (answer.facts ?? answer.body).count }
}

/// An answer that can be repeated: whole, or from facts that are kept in place of its body.
public struct StoredAnswer: Sendable, Equatable {
    /// The result of a request. Stores keep the names of the cases.
    public enum Kind: String, Sendable, CaseIterable {
        /// Something was created.
        case created
        /// The object was changed, or was already as requested.
        case changed
        /// Work was begun that continues after the answer.
        case begun
        /// The object was deleted; the answer has no body.
        case deleted
    }

    /// The result of the request.
    public let kind: Kind
    /// The body; empty for an answer that was read from the store and of which facts are kept.
    public let body: [UInt8]
    /// What is kept in place of the body: what cannot be made again, such as new identifiers. `nil` keeps the body.
    ///
    /// Whoever made the answer knows the form, and makes the answer to a repetition from the facts and from what the store
    /// holds by then.
    public let facts: [UInt8]?

    /// Creates an answer.
    public init(_ kind: Kind, body: [UInt8], facts: [UInt8]? = nil) {
        self.kind = kind
        self.body = body
        self.facts = facts
    }

    /// The answer as stores keep it and give it back.
    public var kept: StoredAnswer { facts == nil ? self : StoredAnswer(kind, body: [], facts: facts) }
}
