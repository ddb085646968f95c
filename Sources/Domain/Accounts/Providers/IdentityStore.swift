public import Cryptography
public import Shared

/// The store of identities. Each write is one transaction; one that throws uses nothing up. An assertion that was used
/// before is `StoreError.taken(field: "digest")`.
public protocol IdentityStore: Sendable {
    /// Uses an assertion and returns the account of its identity. If the identity is unknown, creates the account of
    /// `newcomer` with its audit row; without a newcomer, returns `nil`. Throws `StoreError.taken(field: "login")` if
    /// another account has the login, `StoreError.notFound` if the invitation can no longer be accepted.
    func admit(_ assertion: Assertion, or newcomer: NewAccount?) async throws -> Account?

    /// Uses an assertion and links it with an account. Throws `StoreError.taken(field: "subject")` if the identity
    /// belongs to another account, `StoreError.taken(field: "issuer")` if the account has another identity of the
    /// issuer.
    func link(_ assertion: Assertion, to account: AccountID, by act: AuditContext) async throws -> LinkedIdentity

    /// Removes a link, unless `check` throws for the ways to sign in that would remain. In the same transaction, ends
    /// the sessions that were opened with it, except the one to keep, and revokes what the issuer's claims granted.
    func unlink(
        issuer: String, from account: AccountID, keeping session: SessionID?, by act: AuditContext,
        check: @escaping @Sendable (_ left: WaysIn) throws -> Void
    ) async throws

    /// Uses up a provider's logout notice and ends the sessions that it names, including sign-ins that wait for a
    /// second factor. Throws `StoreError.taken(field: "digest")` if the notice was used before. A notice that changes
    /// nothing does not wait for the writer.
    func end(by notice: LogoutNotice, as act: AuditContext) async throws

    /// Returns an account's identities, ordered by issuer.
    func identities(of account: AccountID) async throws -> [LinkedIdentity]
}

/// An account to create with its audit row.
public struct NewAccount: Sendable {
    /// The account.
    public let account: Account
    /// The audit row.
    public let audit: AuditEntry
    /// The digest of the token of the invitation that creating the account requires and accepts; `nil` if it requires
    /// none.
    public let invitation: TokenDigest?

    /// Creates a newcomer.
    public init(account: Account, audit: AuditEntry, invitation: TokenDigest? = nil) {
        self.account = account
        self.audit = audit
        self.invitation = invitation
    }
}
