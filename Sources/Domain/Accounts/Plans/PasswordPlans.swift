public import Cryptography
public import Shared

/// Plans the writes of passwords and of the tokens that set them.
public enum PasswordPlans {
    /// A new password: all sessions but one end, all devices but one are strangers again, and the account's one-time tokens are void, with the sign-ins that wait
    /// for a second factor, and an address that waits to be confirmed: who entered it may be why there is a new password.
    /// The second factor itself stays.
    ///
    /// - Parameters:
    ///   - account: the account, if there is one.
    ///   - sessions: its sessions.
    ///   - kept: the session that goes on. If it has ended, the password was set meanwhile, and this change is refused.
    ///   - device: the device that is in use.
    public static func setting(
        _ hash: PasswordHash, of account: Account?, sessions: [SessionID], keeping kept: SessionID? = nil,
        device: TokenDigest? = nil, audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard let account else { throw .notFound }
        if let kept, !sessions.contains(kept) { throw .notFound }
        let ended = sessions.filter { $0 != kept }
        return AccountPlan(
            [
                .setPassword(hash, of: account.id), .token(.removeAll(of: account.id)),
                .secondFactor(.removeChallenges(of: account.id)),
                .email(.dropPending(of: account.id)), .email(.takeBackMails(.confirmation, of: account.id)),
                .email(.takeBackResets(of: account.id)), .session(.removeDevices(of: account.id, besides: device)),
            ] + ended.map { .session(.remove($0)) },
            audit: [audit], voided: [.account(account.id)], events: ended.map { .sessionEnded($0) })
    }

    /// Plans to store a costlier hash of the same password; does nothing if the account has another hash by now.
    public static func rehashing(
        _ hash: PasswordHash, of id: AccountID, replacing old: PasswordHash, found: PasswordHash?
    ) -> AccountPlan<Void> {
        AccountPlan(found == old ? [.setPassword(hash, of: id)] : [])
    }

    /// Plans to issue a one-time token, replacing those with the same purpose and account.
    public static func issue(
        _ token: OneTimeToken, digest: TokenDigest, inPlaceOf earlier: [TokenDigest], audit: AuditEntry
    ) -> AccountPlan<Void> {
        AccountPlan(earlier.map { .token(.remove($0)) } + [.token(.insert(token, digest: digest))], audit: [audit])
    }

    /// Plans to use a token that names an account, and to set its password.
    ///
    /// - Parameters:
    ///   - token: The stored token; `nil` if there is none.
    ///   - account: The account that it names.
    ///   - sessions: The account's sessions.
    public static func redemption(
        _ digest: TokenDigest, _ token: OneTimeToken?, at moment: Timestamp, password: PasswordHash,
        of account: Account?, sessions: [SessionID], audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        _ = try use(token, at: moment)
        var plan = try setting(password, of: account, sessions: sessions, audit: audit)
        plan.changes.insert(.token(.remove(digest)), at: 0)
        return plan
    }

    /// Uses up a token of the first administrator, and makes the account, unless an administrator can sign in by now: the
    /// token is void then, and the answer is `false`.
    ///
    /// - Parameters:
    ///   - administrators: how each enabled administrator can sign in.
    ///   - ways: which ways in are open.
    public static func redemption(
        _ digest: TokenDigest, _ token: OneTimeToken?, at moment: Timestamp, creating account: Account,
        password: PasswordHash, audit: AuditEntry, besides administrators: [WaysIn], through ways: OpenWays
    ) throws(StoreError) -> AccountPlan<Bool> {
        guard try use(token, at: moment).purpose == .firstAdministrator else { throw .notFound }
        if administrators.contains(where: { ways.open($0) }) {
            return AccountPlan([.token(.remove(digest))], value: false)
        }
        let made = AccountPlans.creation(of: account, password: password, audit: audit)
        return AccountPlan(
            claims: made.claims, [.token(.remove(digest))] + made.changes, audit: made.audit, events: made.events,
            value: true)
    }

    /// Returns the token; throws `notFound` if it does not exist or has expired.
    private static func use(_ token: OneTimeToken?, at moment: Timestamp) throws(StoreError) -> OneTimeToken {
        guard let token, moment < token.expiresAt else { throw .notFound }
        return token
    }
}
