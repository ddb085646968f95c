/// Who acts, from where, when and why: what an audit row begins with. With it goes what the act's permission rests on.
public struct AuditContext: Sendable, Equatable {
    /// Who; `nil` for someone not signed in, or the server itself.
    public let account: AccountID?
    /// From where: the peer's address, `cli`, `server`.
    public let source: String
    /// The moment.
    public let at: Timestamp
    /// Why, in the words of the person who acts.
    public let reason: String?
    /// What the permission rests on: the store refuses the act once one of these has changed. Empty for the server itself,
    /// and for what needs no permission.
    public private(set) var grounds: [AccessGround] = []

    /// An act.
    public init(by account: AccountID?, from source: String, at: Timestamp, because reason: String? = nil) {
        self.account = account
        self.source = source
        self.at = at
        self.reason = reason
    }

    /// The act under a permission that rests on these.
    public func resting(on grounds: [AccessGround]) -> AuditContext {
        var act = self
        act.grounds = grounds
        return act
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
