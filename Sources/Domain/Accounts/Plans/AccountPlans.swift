public import Cryptography
public import Shared

/// Plans the writes of accounts from the rows that the store found.
public enum AccountPlans {
    /// Plans a new account, with the answer to its request.
    public static func creation(
        of account: Account, password: PasswordHash?, audit: AuditEntry, keeping kept: KeptAnswer? = nil
    ) -> AccountPlan<Void> {
        AccountPlan(
            claims: [account.loginClaim], [.insert(account, password: password)], audit: [audit],
            events: [.accountsChanged], kept: kept)
    }

    /// What `change` makes of an account; `nil` for a situation without one. The sessions of a person who becomes an
    /// administrator go on under the limits of administrators. An account that is disabled loses its one-time tokens, the
    /// sign-ins that wait for a second factor and an address that waits to be confirmed; who is administrator no longer, or
    /// disabled, loses the links that were made for others.
    ///
    /// - Parameters:
    ///   - situation: The account; `nil` if there is none, which throws `StoreError.notFound`.
    ///   - sessions: The account's sessions.
    public static func amendment(
        _ situation: AccountSituation?, sessions: [Session],
        _ change: (AccountSituation) throws -> AccountChange
    ) throws -> AccountPlan<Account> {
        guard let situation else { throw StoreError.notFound }
        let change = try change(situation)
        let ended = change.endsSessions ? sessions.map(\.id) : []
        let rises = change.account.role == .administrator && situation.account.role != .administrator
        let held =
            rises && ended.isEmpty ? SessionPlans.held(sessions, to: .administrator, at: change.audit.at) : []
        let id = change.account.id
        return AccountPlan(
            claims: [change.account.loginClaim],
            [.update(change.account)] + ended.map { .session(.remove($0)) } + held
                + (change.account.isDisabled ? Self.unfinished(of: id) : [])
                + (situation.account.isActiveAdministrator && !change.account.isActiveAdministrator
                    ? [.token(.removeMade(by: id))] : []),
            audit: [change.audit], voided: [.account(change.account.id)],
            events: ended.map { .sessionEnded($0) } + changed(change.account.id), value: change.account)
    }

    /// The end of an account. What becomes of its records is decided for each of them, beside this. A mail tells its owner,
    /// because a thief of a session could have asked for it.
    ///
    /// - Parameters:
    ///   - email: the account's address.
    ///   - audit: makes the line of the trail, or refuses by throwing.
    public static func deletion(
        _ situation: AccountSituation?, sessions: [SessionID], email: AccountEmail,
        audit: (AccountSituation) throws -> AuditEntry
    ) throws -> AccountPlan<AuditContext> {
        guard let situation else { throw StoreError.notFound }
        let id = situation.account.id
        let entry = try audit(situation)
        let told = EmailSituation(account: situation.account, email: email, earlier: [])
        return AccountPlan(
            sessions.map { .session(.remove($0)) } + [
                .token(.removeMade(by: id)), .remove(id), .forgetAnswers(of: id), .eraseAuditDetails(about: id),
            ],
            audit: [entry], voided: [.account(id)], events: sessions.map { .sessionEnded($0) } + changed(id),
            mails: EmailPlans.deletion(entry, in: told),
            value: AuditContext(by: entry.account ?? id, from: entry.source, at: entry.at))
    }

    /// Plans to set an account's picture, and its name in the account; `nil` removes it.
    public static func picture(
        _ picture: Picture?, of account: Account?, audit: AuditEntry
    ) throws(StoreError) -> AccountPlan<Void> {
        guard var account else { throw .notFound }
        account.picture = picture?.name
        return AccountPlan(
            [.update(account), .setPicture(picture, of: account.id)], audit: [audit], events: [.accountsChanged])
    }

    /// What ends with an account that is disabled, beside its sessions.
    private static func unfinished(of id: AccountID) -> [AccountRowChange] {
        [
            .token(.removeAll(of: id)), .secondFactor(.removeChallenges(of: id)), .email(.dropPending(of: id)),
            .email(.takeBackMails(.confirmation, of: id)), .email(.takeBackResets(of: id)),
        ]
    }

    /// The events of an account whose permissions or name changed.
    private static func changed(_ id: AccountID) -> [StoreEvent] { [.accessChanged(id), .accountsChanged] }
}

extension Account {
    fileprivate var isActiveAdministrator: Bool { role == .administrator && !isDisabled }

    fileprivate var loginClaim: UniqueClaim { UniqueClaim(.login, login.text, for: id.text) }
}
