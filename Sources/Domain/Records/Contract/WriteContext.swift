public import Shared

/// Who writes, from where, when, and under which conditions.
public struct WriteContext: Sendable {
    /// The account that writes.
    public let account: AccountID
    /// The source of the request: the peer's address, `cli` or `job`.
    public let source: String
    /// When the request was made.
    public let at: Timestamp
    /// The caller's view: the answer gives its version, and `expected` is compared with it.
    public let view: RecordView
    /// The version that the caller expects to change; `nil` for any.
    public let expected: Revision?
    /// The client's idempotency key, if it sent one.
    public let idempotency: IdempotencyKey?
    /// The access versions with which the permission was checked. The store refuses with `moved` if they have changed
    /// since.
    public let access: AccessVersions

    /// Creates a context.
    public init(
        account: AccountID, source: String, at: Timestamp, view: RecordView, expected: Revision?,
        idempotency: IdempotencyKey?, access: AccessVersions
    ) {
        self.account = account
        self.source = source
        self.at = at
        self.view = view
        self.expected = expected
        self.idempotency = idempotency
        self.access = access
    }
}
