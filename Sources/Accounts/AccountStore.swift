public import Cryptography
public import Storage

/// An account and what is true around it at the moment of a change.
public struct AccountSituation: Sendable {
    /// The account as it stands.
    public let account: Account
    /// How many other enabled administrators there are.
    public let otherAdministrators: Int

    /// A situation.
    public init(account: Account, otherAdministrators: Int) {
        self.account = account
        self.otherAdministrators = otherAdministrators
    }
}

/// What one change makes of an account; stored whole, with its audit row, or not at all.
public struct AccountChange: Sendable {
    /// The account from now on.
    public let account: Account
    /// Whether all its sessions end.
    public let endsSessions: Bool
    /// The audit row.
    public let audit: AuditEntry

    /// A change.
    public init(account: Account, endsSessions: Bool, audit: AuditEntry) {
        self.account = account
        self.endsSessions = endsSessions
        self.audit = audit
    }
}

/// What signing in needs to know of an account.
public struct StoredCredentials: Sendable {
    /// The account.
    public let account: Account
    /// Its password; `nil` for none.
    public let password: PasswordHash?
    /// Whether the device asked about signed in to it before.
    public let knowsDevice: Bool

    /// What was found.
    public init(account: Account, password: PasswordHash?, knowsDevice: Bool) {
        self.account = account
        self.password = password
        self.knowsDevice = knowsDevice
    }
}

/// Which accounts an administrator looks for.
public struct AccountQuery: Sendable, Equatable {
    /// The role to have.
    public enum Role: Sendable, Equatable {
        case any
        case none
        case administrator
    }

    /// Text within login or displayed name, in any case; `nil` for all.
    public var text: String?
    /// The role.
    public var role: Role
    /// Whether disabled; `nil` for either.
    public var isDisabled: Bool?
    /// The last account of the page before.
    public var after: AccountID?
    /// The most to answer, 1…200.
    public var limit: Int

    /// A search.
    public init(
        text: String? = nil, role: Role = .any, isDisabled: Bool? = nil, after: AccountID? = nil, limit: Int = 50
    ) {
        self.text = text
        self.role = role
        self.isDisabled = isDisabled
        self.after = after
        self.limit = min(max(limit, 1), 200)
    }
}

/// What the accounts room needs of a store. Each write is one transaction with its audit row; those that change
/// what an account may do raise the access version. What is not there is `StoreError.notFound`.
public protocol AccountStore: Sendable {
    /// Rises with every change of a role, membership, session or program setting on which permissions rest.
    var accessVersion: Int { get }

    /// Stores a new account; another one with the login is `StoreError.taken(field: "login")`.
    func insert(_ account: Account, password: PasswordHash?, audit: AuditEntry) async throws

    /// The account; `nil` when there is none.
    func account(_ id: AccountID) async throws -> Account?

    /// Accounts in the order they were made.
    func accounts(_ query: AccountQuery) async throws -> [Account]

    /// What a sign-in compares; `nil` for an unknown login.
    func credentials(of login: Login, device: TokenDigest?) async throws -> StoredCredentials?

    /// The password of an account; `nil` for none.
    func password(of id: AccountID) async throws -> PasswordHash?

    /// Changes the account's truth by a pure function of it. What the function throws is thrown here, and nothing
    /// is stored; a login that is taken is `StoreError.taken(field: "login")`.
    func amend(
        _ id: AccountID, _ change: @escaping @Sendable (AccountSituation) throws -> AccountChange
    ) async throws -> Account

    /// Sets a password, ends all sessions but one and voids the account's one-time tokens.
    func setPassword(_ hash: PasswordHash, of id: AccountID, keeping: SessionID?, audit: AuditEntry) async throws

    /// Replaces a hash by a costlier one of the same password; nothing happens if it is another one by now.
    func rehash(_ hash: PasswordHash, of id: AccountID, replacing old: PasswordHash) async throws

    /// Erases the account: identifiers, password, picture, sessions, tokens and devices, and its particulars in the
    /// audit trail. Its records lose their student, or go where no one else ever wrote; memberships end.
    ///
    /// `audit` may refuse by throwing.
    func delete(_ id: AccountID, audit: @escaping @Sendable (AccountSituation) throws -> AuditEntry) async throws

    /// Whether an enabled administrator with a password exists.
    func hasAdministrator() async throws -> Bool

    /// Stores a sign-in and remembers the device for the account, of which the newest twenty are kept.
    func insert(_ session: Session, token: TokenDigest, device: TokenDigest, audit: AuditEntry) async throws

    /// The session of a token with its account; `nil` when there is none. The caller looks at the clock.
    func session(_ token: TokenDigest) async throws -> (session: Session, account: Account)?

    /// An account's sessions, newest first.
    func sessions(of id: AccountID) async throws -> [Session]

    /// Notes a request; not a change of access.
    func touch(_ session: SessionID, at: Instant) async throws

    /// Ends one session of an account.
    func end(_ session: SessionID, of id: AccountID, audit: AuditEntry) async throws

    /// Ends all sessions of an account but one.
    func endSessions(of id: AccountID, keeping: SessionID?, audit: AuditEntry) async throws

    /// Stores a one-time token in place of those with its purpose and account.
    func issue(_ token: OneTimeToken, digest: TokenDigest, audit: AuditEntry) async throws

    /// What a one-time token is for; `nil` when it was used or never was one.
    func oneTimeToken(_ digest: TokenDigest) async throws -> OneTimeToken?

    /// Uses up a token that names an account, and does what `setPassword` does; `notFound` when it is used up or
    /// has expired.
    func redeem(_ digest: TokenDigest, at: Instant, password: PasswordHash, audit: AuditEntry) async throws

    /// Uses up a token of the first administrator, and stores the account; `notFound` when it is used up or has
    /// expired.
    func redeem(
        _ digest: TokenDigest, at: Instant, creating account: Account, password: PasswordHash, audit: AuditEntry
    ) async throws

    /// The account's picture; `nil` for none.
    func picture(of id: AccountID) async throws -> Picture?

    /// Sets or (with `nil`) removes the picture and the account's name for it.
    func setPicture(_ picture: Picture?, of id: AccountID, audit: AuditEntry) async throws

    /// Lines of the audit trails, newest first.
    func auditItems(_ query: AuditQuery) async throws -> [AuditItem]

    /// Drops sessions and one-time tokens that ended before `moment`.
    func forgetEnded(before moment: Instant) async throws
}
