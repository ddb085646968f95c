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

/// An answer that can be given again.
public struct StoredAnswer: Sendable, Equatable {
    /// The HTTP status, 200…299.
    public let status: Int
    /// The body.
    public let body: [UInt8]

    /// An answer.
    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}
