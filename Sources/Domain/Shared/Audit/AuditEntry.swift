/// A row of the audit trail about anything but a record's content, such as accounts, roles, programs and reading.
public struct AuditEntry: Sendable, Equatable {
    /// The institution whose trail it belongs to; `nil` for the server's own.
    public let institution: InstitutionID?
    /// When the action happened.
    public let at: Timestamp
    /// The account that acted; `nil` for a guest or the server itself.
    public let account: AccountID?
    /// The source of the request: the peer's address, `cli`, `job` or `server`.
    public let source: String
    /// The action: `account.disabled`, `member.added`, `program.published`, `record.read` …
    public let action: String
    /// The identifier of the object of the action.
    public let subject: String
    /// The particulars as JSON text; `nil` if there are none. They can be erased later without breaking the chain.
    public let detail: [UInt8]?

    /// Creates a row.
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
