/// Who acts, from where, when and why, for an audit row; and what the permission depends on.
public struct AuditContext: Sendable, Equatable {
    /// The account that acts; `nil` for a guest or the server itself.
    public let account: AccountID?
    /// The source of the request: the peer's address, `cli` or `server`.
    public let source: String
    /// When the action happens.
    public let at: Timestamp
    /// The reason, in the words of the person who acts.
    public let reason: String?
    /// The access versions that the permission depends on: the store refuses the action if one of them has changed.
    /// Empty for the server itself, and if no permission is needed.
    public private(set) var grounds: [AccessGround] = []

    /// Creates a context without grounds.
    public init(by account: AccountID?, from source: String, at: Timestamp, because reason: String? = nil) {
        self.account = account
        self.source = source
        self.at = at
        self.reason = reason
    }

    /// Returns the context with the grounds of its permission.
    public func resting(on grounds: [AccessGround]) -> AuditContext {
        var act = self
        act.grounds = grounds
        return act
    }
}

extension AuditContext {
    /// Returns the audit row of an action; `detail` is JSON text.
    public func entry(
        _ action: String, of subject: String, in institution: InstitutionID? = nil, detail: [UInt8]? = nil
    ) -> AuditEntry {
        AuditEntry(
            institution: institution, at: at, account: account, source: source, action: action, subject: subject,
            detail: detail)
    }
}
