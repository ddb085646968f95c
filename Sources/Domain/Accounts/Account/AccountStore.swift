public import Cryptography
public import Shared

/// The store of accounts. Each write is one transaction with its audit row; a write that changes what an account may do
/// raises its access version. An object that does not exist is `StoreError.notFound`.
public protocol AccountStore: IdentityStore, OneUseTokenStore, SecondFactorStore, PasskeyStore, ProofStore,
    APITokenStore, SignInFailureStore, EmailStore, AnswerStore
{
    /// The changes of access that this node knows about.
    var accessNews: AccessNews { get }

    /// Stores a new account and the answer to its request; throws `StoreError.taken(field: "login")` if another account
    /// has the login.
    func insert(
        _ account: Account, password: PasswordHash?, audit: AuditEntry, keeping kept: KeptAnswer?
    ) async throws

    /// Returns an account; `nil` if there is none.
    func account(_ id: AccountID) async throws -> Account?

    /// Returns an account with its access version, both of the same moment; `nil` if there is none.
    func standing(of id: AccountID) async throws -> (account: Account, accessVersion: Int)?

    /// Returns the names of some accounts, without those that are deleted.
    func names(of ids: [AccountID]) async throws -> [AccountID: AccountNames]

    /// Returns the accounts that match a search, in the order of their creation.
    func accounts(_ query: AccountQuery) async throws -> [Account]

    /// Returns what a sign-in needs to check a password; `nil` for an unknown login.
    func credentials(of login: Login, device: TokenDigest?) async throws -> StoredCredentials?

    /// Returns the password hash of an account; `nil` if it has no password.
    func password(of id: AccountID) async throws -> PasswordHash?

    /// Changes an account by a pure function of it. If the function throws, nothing is stored and the error is thrown
    /// on; throws `StoreError.taken(field: "login")` if another account has the new login.
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

    /// Replaces a hash by a costlier one of the same password; has no effect if the stored hash is another one by now.
    func rehash(_ hash: PasswordHash, of id: AccountID, replacing old: PasswordHash) async throws

    /// Erases the account: identifiers, password, picture, sessions, tokens, devices, memberships, and its particulars
    /// in the audit trail. Records that only the student changed are deleted; the others lose their student.
    ///
    /// `audit` may throw to refuse the deletion.
    func delete(_ id: AccountID, audit: @escaping @Sendable (AccountSituation) throws -> AuditEntry) async throws

    /// How each enabled administrator can sign in.
    func administrators() async throws -> [WaysIn]

    /// Stores a sign-in, its device, and when its owner was asked for the proof. Returns the stored session, which may
    /// be shorter if the account was given a role in the meantime. An account keeps its twenty newest devices and its
    /// ``Session/maximumCount`` newest sessions; each session that this ends gets an audit row.
    ///
    /// - Parameter notice: The mail to the owner if the device has not signed in before; `nil` if the server sends no
    ///   mail.
    /// - Throws: `notFound` if the account is disabled or does not exist; `moved` if the proof no longer holds, or if
    ///   the account now has a second factor that the proof lacks.
    func insert(
        _ session: Session, by proof: SignInProof, provenAt: Timestamp, token: TokenDigest, device: TokenDigest,
        audit: AuditEntry, telling notice: NewDeviceNotice?
    ) async throws -> Session

    /// Returns the session with a token and the state of its account, all of the same moment; `nil` if there is none.
    /// The caller checks whether it has expired.
    func session(_ token: TokenDigest) async throws -> SessionStanding?

    /// Returns a session of an account in the same way.
    func session(_ id: SessionID, of account: AccountID) async throws -> SessionStanding?

    /// Returns an account's sessions, newest first.
    func sessions(of id: AccountID) async throws -> [Session]

    /// Stores when a session made a request; not a change of access.
    func touch(_ session: SessionID, at: Timestamp) async throws

    /// Ends one session of an account.
    ///
    /// - Parameter isOwn: whether the session ends itself.
    func end(_ session: SessionID, of id: AccountID, itself isOwn: Bool, audit: AuditEntry) async throws

    /// Ends all sessions of an account but one.
    ///
    /// - Parameter device: the device in use; the others are strangers again.
    func endSessions(of id: AccountID, keeping: SessionID?, device: TokenDigest?, audit: AuditEntry) async throws

    /// Stores a one-time token, replacing those with the same purpose and account.
    func issue(_ token: OneTimeToken, digest: TokenDigest, audit: AuditEntry) async throws

    /// Returns a one-time token; `nil` if it was used or never existed.
    func oneTimeToken(_ digest: TokenDigest) async throws -> OneTimeToken?

    /// Uses a token that names an account, and sets its password as `setPassword` does; throws `notFound` if the token
    /// was used or has expired.
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

    /// Returns the account's picture; `nil` if it has none.
    func picture(of id: AccountID) async throws -> Picture?

    /// Sets the picture and its name in the account, or removes both if `picture` is `nil`.
    func setPicture(_ picture: Picture?, of id: AccountID, audit: AuditEntry) async throws

    /// Returns rows of the audit trails, newest first.
    func auditItems(_ query: AuditQuery) async throws -> [AuditItem]

    /// Deletes the sessions, invitations, tokens, used assertions and failure counts that ended before `moment`, and
    /// service accounts that ended long before.
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
