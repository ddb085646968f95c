public import Cryptography
public import Shared

/// What sign-in with another server needs of a store. Each write is one transaction; one that throws uses nothing up.
/// An assertion that was used before is `StoreError.taken(field: "digest")`.
public protocol IdentityStore: Sendable {
    /// Uses up an assertion and answers whose it is. Of an unknown identity, it makes `newcomer` the account,
    /// with its audit row; without a newcomer the answer is `nil`. A login that is taken is
    /// `StoreError.taken(field: "login")`, an invitation that can be accepted no more `StoreError.notFound`.
    func admit(_ assertion: Assertion, or newcomer: NewAccount?) async throws -> Account?

    /// Uses up an assertion and links it to an account. An identity of another account is
    /// `StoreError.taken(field: "subject")`, a second one of the issuer's `StoreError.taken(field: "issuer")`.
    func link(_ assertion: Assertion, to account: AccountID, by act: AuditContext) async throws -> LinkedIdentity

    /// Ends a link, unless `check` throws for the ways in that would remain. In the same transaction it ends the sessions
    /// that were opened through it, but for the one that is kept, and takes back what the issuer's claims granted.
    func unlink(
        issuer: String, from account: AccountID, keeping session: SessionID?, by act: AuditContext,
        check: @escaping @Sendable (_ left: WaysIn) throws -> Void
    ) async throws

    /// Ends the sessions that a provider's notice means, also those that wait for their second factor, and uses the notice
    /// up. One that was used before is `StoreError.taken(field: "digest")`. One that changes nothing does not wait for
    /// the writer.
    func end(by notice: LogoutNotice, as act: AuditContext) async throws

    /// An account's identities in the order of their issuers.
    func identities(of account: AccountID) async throws -> [LinkedIdentity]
}

/// An account to be made, and what the audit trail says of it.
public struct NewAccount: Sendable {
    /// The account.
    public let account: Account
    /// The audit row.
    public let audit: AuditEntry
    /// The digest of the token of the invitation without which there is no account, and which it accepts; `nil` for an
    /// account that needs none.
    public let invitation: TokenDigest?

    /// A newcomer.
    public init(account: Account, audit: AuditEntry, invitation: TokenDigest? = nil) {
        self.account = account
        self.audit = audit
        self.invitation = invitation
    }
}
