public import Cryptography
public import Shared

/// What accounts need of a store. Each write is one transaction with its audit row; those that change
/// what an account may do raise its access version. What is not there is `StoreError.notFound`.
public protocol AccountStore: IdentityStore, OneUseTokenStore, SecondFactorStore, PasskeyStore, ProofStore,
    APITokenStore, SignInFailureStore, EmailStore, AnswerStore
{
    /// What this node has heard of changes of access.
    var accessNews: AccessNews { get }

    /// Stores a new account and the answer that tells of it; another one with the login is
    /// `StoreError.taken(field: "login")`.
    func insert(
        _ account: Account, password: PasswordHash?, audit: AuditEntry, keeping kept: KeptAnswer?
    ) async throws

    /// The account; `nil` when there is none.
    func account(_ id: AccountID) async throws -> Account?

    /// The account with its access version, both of one moment; `nil` when there is none.
    func standing(of id: AccountID) async throws -> (account: Account, accessVersion: Int)?

    /// The displayed names of some accounts; those that are gone are absent.
    func displayNames(of ids: [AccountID]) async throws -> [AccountID: String]

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

    /// Sets a password, ends all sessions but one and voids the account's one-time tokens; `notFound` if there is no
    /// such account, or the session that is kept has ended.
    ///
    /// - Parameter device: the device in use; the others are strangers again.
    func setPassword(
        _ hash: PasswordHash, of id: AccountID, keeping: SessionID?, device: TokenDigest?, audit: AuditEntry
    ) async throws

    /// Replaces a hash by a costlier one of the same password; nothing happens if it is another one by now.
    func rehash(_ hash: PasswordHash, of id: AccountID, replacing old: PasswordHash) async throws

    /// Erases the account: identifiers, password, picture, sessions, tokens and devices, and its particulars in the
    /// audit trail. Its records lose their student; those that only the student wrote go. Memberships end.
    ///
    /// `audit` may refuse by throwing.
    func delete(_ id: AccountID, audit: @escaping @Sendable (AccountSituation) throws -> AuditEntry) async throws

    /// How each enabled administrator can sign in.
    func administrators() async throws -> [WaysIn]

    /// Stores a sign-in and remembers its device, and when its owner was asked who it is; answers the session as it is
    /// then, which a role that was given meanwhile may have shortened. An account keeps its twenty newest devices and its
    /// ``Session/maximumCount`` newest sessions; each session that ends for it gets a line in the trail.
    ///
    /// - Parameter notice: the mail to the owner if the device has not signed in before; `nil` where no mail is sent.
    /// - Throws: `notFound` for an account that is disabled or not there, `moved` when what was shown to sign in no
    ///   longer holds, or when the account has a second factor by now that was not shown.
    func insert(
        _ session: Session, by proof: SignInProof, provenAt: Timestamp, token: TokenDigest, device: TokenDigest,
        audit: AuditEntry, telling notice: NewDeviceNotice?
    ) async throws -> Session

    /// The session of a token with what is true of its account, all of one moment; `nil` when there is none. The caller
    /// looks at the clock.
    func session(_ token: TokenDigest) async throws -> SessionStanding?

    /// A session of an account, in the same way.
    func session(_ id: SessionID, of account: AccountID) async throws -> SessionStanding?

    /// An account's sessions, newest first.
    func sessions(of id: AccountID) async throws -> [Session]

    /// Notes a request; not a change of access.
    func touch(_ session: SessionID, at: Timestamp) async throws

    /// Ends one session of an account.
    ///
    /// - Parameter isOwn: whether the session ends itself.
    func end(_ session: SessionID, of id: AccountID, itself isOwn: Bool, audit: AuditEntry) async throws

    /// Ends all sessions of an account but one.
    ///
    /// - Parameter device: the device in use; the others are strangers again.
    func endSessions(of id: AccountID, keeping: SessionID?, device: TokenDigest?, audit: AuditEntry) async throws

    /// Stores a one-time token in place of those with its purpose and account.
    func issue(_ token: OneTimeToken, digest: TokenDigest, audit: AuditEntry) async throws

    /// What a one-time token is for; `nil` when it was used or never was one.
    func oneTimeToken(_ digest: TokenDigest) async throws -> OneTimeToken?

    /// Uses up a token that names an account, and does what `setPassword` does; `notFound` when it is used up or
    /// has expired.
    func redeem(_ digest: TokenDigest, at: Timestamp, password: PasswordHash, audit: AuditEntry) async throws

    /// Drops the one-time tokens of a purpose.
    func dropTokens(of purpose: OneTimeToken.Purpose) async throws

    /// Uses up a token of the first administrator, and stores the account; `notFound` when it is used up or has
    /// expired. Where an administrator can sign in already, the token is void and nothing else happens.
    ///
    /// - Parameter ways: which ways in are open.
    /// - Returns: whether the account was made.
    func redeem(
        _ digest: TokenDigest, at: Timestamp, creating account: Account, password: PasswordHash, audit: AuditEntry,
        unless ways: OpenWays
    ) async throws -> Bool

    /// The account's picture; `nil` for none.
    func picture(of id: AccountID) async throws -> Picture?

    /// Sets or (with `nil`) removes the picture and the account's name for it.
    func setPicture(_ picture: Picture?, of id: AccountID, audit: AuditEntry) async throws

    /// Lines of the audit trails, newest first.
    func auditItems(_ query: AuditQuery) async throws -> [AuditItem]

    /// Drops sessions, invitations, tokens, used assertions and counts of failures that ended before `moment`, and service
    /// accounts that ended long before.
    func forgetEnded(before moment: Timestamp) async throws
}

extension AccountStore {
    /// Sets a password from no device that the account knows.
    public func setPassword(
        _ hash: PasswordHash, of id: AccountID, keeping session: SessionID?, audit: AuditEntry
    ) async throws {
        try await setPassword(hash, of: id, keeping: session, device: nil, audit: audit)
    }

    /// Ends one session of an account from outside.
    public func end(_ session: SessionID, of id: AccountID, audit: AuditEntry) async throws {
        try await end(session, of: id, itself: false, audit: audit)
    }

    /// Ends all sessions of an account but one, from no device that the account knows.
    public func endSessions(of id: AccountID, keeping session: SessionID?, audit: AuditEntry) async throws {
        try await endSessions(of: id, keeping: session, device: nil, audit: audit)
    }

    /// Stores a sign-in without notifying the owner by mail.
    public func insert(
        _ session: Session, by proof: SignInProof, provenAt moment: Timestamp, token: TokenDigest, device: TokenDigest,
        audit: AuditEntry
    ) async throws -> Session {
        try await insert(
            session, by: proof, provenAt: moment, token: token, device: device, audit: audit, telling: nil)
    }
}
