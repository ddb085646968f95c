public import Shared

/// Who changes what, from where, and under which conditions.
public struct WriteContext: Sendable {
    /// Who.
    public let account: AccountID
    /// From where: the peer's address, `cli`, `job`.
    public let source: String
    /// The moment.
    public let at: Timestamp
    /// The view the caller sees: its version is answered, and `expected` compares with it.
    public let view: RecordView
    /// The version `If-Match` named; `nil` for none or `*`.
    public let expected: Revision?
    /// The client's key, if it sent one.
    public let idempotency: IdempotencyKey?
    /// The access versions under which the permission was given; the store refuses with `moved` when another one is
    /// stored by now.
    public let access: AccessVersions

    /// A context.
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
