/// Who acts, from where, when and why: what an audit row begins with.
public struct AuditContext: Sendable, Equatable {
    /// Who; `nil` for someone not signed in, or the server itself.
    public let account: AccountID?
    /// From where: the peer's address, `cli`, `server`.
    public let source: String
    /// The moment.
    public let at: Timestamp
    /// Why, in the words of the person who acts.
    public let reason: String?

    /// An act.
    public init(by account: AccountID?, from source: String, at: Timestamp, because reason: String? = nil) {
        self.account = account
        self.source = source
        self.at = at
        self.reason = reason
    }
}

extension AuditContext {
    /// The audit row that says what was done; `detail` is JSON text.
    public func entry(
        _ action: String, of subject: String, in institution: InstitutionID? = nil, detail: [UInt8]? = nil
    ) -> AuditEntry {
        AuditEntry(
            institution: institution, at: at, account: account, source: source, action: action, subject: subject,
            detail: detail)
    }
}
