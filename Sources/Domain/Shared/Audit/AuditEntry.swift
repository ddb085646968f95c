/// A line of the audit trail about anything but a record's content: accounts, roles, programs, reading.
public struct AuditEntry: Sendable, Equatable {
    /// The tenant whose trail this belongs to; `nil` for the server's own.
    public let institution: InstitutionID?
    /// When.
    public let at: Timestamp
    /// Who; `nil` for the server itself.
    public let account: AccountID?
    /// From where: the peer's address, `cli`, `job`.
    public let source: String
    /// What: `account.disabled`, `member.added`, `program.published`, `record.read` …
    public let action: String
    /// The identifier of what it was done to.
    public let subject: String
    /// JSON text of the particulars; `nil` for none. It can be erased later without breaking the chain.
    public let detail: [UInt8]?

    /// A line of the trail.
    public init(
        institution: InstitutionID?, at: Timestamp, account: AccountID?, source: String, action: String,
        subject: String,
        detail: [UInt8]? = nil
    ) {
        self.institution = institution
        self.at = at
        self.account = account
        self.source = source
        self.action = action
        self.subject = subject
        self.detail = detail
    }
}
