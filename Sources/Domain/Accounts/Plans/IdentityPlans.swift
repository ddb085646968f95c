public import Shared

/// The rules of sign-in with other servers: an assertion is believed once, a person has one account, and an account
/// one person of each issuer.
public enum IdentityPlans {
    /// What a store has found of an assertion.
    public struct Rows: Sendable {
        /// Whether the assertion was used before.
        public let isUsed: Bool
        /// The account of the person whom the assertion names; `nil` for an unknown person.
        public let holder: Account?

        /// What was found.
        public init(isUsed: Bool, holder: Account?) {
            self.isUsed = isUsed
            self.holder = holder
        }
    }

    /// Uses up an assertion and answers whose it is, or makes the newcomer's account.
    public static func admission(
        _ assertion: Assertion, or newcomer: NewAccount?, found rows: Rows
    ) throws(StoreError) -> AccountPlan<Account?> {
        let use = try use(assertion, rows)
        guard rows.holder == nil, let newcomer else { return AccountPlan([use], value: rows.holder) }
        let creation = AccountPlans.creation(of: newcomer.account, password: nil, audit: newcomer.audit)
        let act = AuditContext(by: newcomer.account.id, from: newcomer.audit.source, at: newcomer.audit.at)
        let link = LinkedIdentity(assertion, of: newcomer.account.id, by: act)
        return AccountPlan(
            claims: creation.claims, [use] + creation.changes + [.insertIdentity(link)],
            audit: creation.audit + [act.entry("identity.linked", of: link.account.text, detail: link.auditText)],
            events: creation.events, value: newcomer.account)
    }

    /// Uses up an assertion and links it to an account; a link that is there stays as it is.
    ///
    /// - Parameter identities: the account's.
    /// - Throws: ``StoreError/taken(field:)`` with `digest`, `subject` or `issuer`.
    public static func linking(
        _ assertion: Assertion, to account: AccountID, identities: [LinkedIdentity], by act: AuditContext,
        found rows: Rows
    ) throws(StoreError) -> AccountPlan<LinkedIdentity> {
        let use = try use(assertion, rows)
        if let there = identities.first(where: { $0.names(assertion) }) { return AccountPlan([use], value: there) }
        if rows.holder != nil { throw .taken(field: "subject") }
        if identities.contains(where: { $0.issuer == assertion.issuer }) { throw .taken(field: "issuer") }
        let link = LinkedIdentity(assertion, of: account, by: act)
        return AccountPlan(
            [use, .insertIdentity(link)],
            audit: [act.entry("identity.linked", of: account.text, detail: link.auditText)], value: link)
    }

    /// Uses up an assertion that shows who the owner of an account is.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `digest`, ``StoreError/moved`` for a person who has another account or
    ///   none.
    static func proving(
        _ assertion: Assertion, of account: AccountID, found rows: Rows
    ) throws(StoreError) -> AccountRowChange {
        let use = try use(assertion, rows)
        guard rows.holder?.id == account else { throw .moved }
        return use
    }

    /// The end of a link, and of the sessions that were opened through it. What its issuer may have vouched for counts as one
    /// factor from now on, in sessions and API tokens alike.
    ///
    /// - Parameters:
    ///   - ways: how the account's owner can sign in.
    ///   - sessions: the account's sessions that were opened through the issuer.
    ///   - kept: the session that goes on.
    ///   - check: learns what would be left of them, and may refuse by throwing.
    public static func unlinking(
        issuer: String, from account: AccountID, ways: WaysIn, sessions: [SessionID], keeping kept: SessionID?,
        by act: AuditContext, check: (_ left: WaysIn) throws -> Void
    ) throws -> AccountPlan<Void> {
        guard let identity = ways.identities.first(where: { $0.issuer == issuer }) else { throw StoreError.notFound }
        let left = ways.identities.filter { $0 != identity }
        try check(WaysIn(hasPassword: ways.hasPassword, hasPasskey: ways.hasPasskey, identities: left))
        let ended = sessions.filter { $0 != kept }
        // Sessions and tokens do not say who vouched: it may have been this issuer.
        let lowers = identity.vouching != .none
        return AccountPlan(
            [.removeIdentity(identity)] + ended.map { .removeSession($0) }
                + (lowers ? [.lowerVouched(of: account)] : []),
            audit: [act.entry("identity.unlinked", of: account.text, detail: identity.auditText)]
                + ended.map { act.entry("session.ended", of: account.text, detail: $0.auditText) },
            voided: lowers || !ended.isEmpty ? [.account(account)] : [],
            events: ended.map { .sessionEnded($0) } + (lowers ? [.accessChanged(account)] : []))
    }

    private static func use(_ assertion: Assertion, _ rows: Rows) throws(StoreError) -> AccountRowChange {
        if rows.isUsed { throw .taken(field: "digest") }
        return .useAssertion(assertion)
    }
}

extension LinkedIdentity {
    fileprivate init(_ assertion: Assertion, of account: AccountID, by act: AuditContext) {
        self.init(issuer: assertion.issuer, subject: assertion.subject, account: account, linkedAt: act.at)
    }

    fileprivate func names(_ assertion: Assertion) -> Bool {
        issuer == assertion.issuer && subject == assertion.subject
    }
}
