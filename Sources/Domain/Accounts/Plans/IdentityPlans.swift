public import Shared

/// Plans the writes of sign-ins with providers: an assertion is accepted once, a person has one account, and an account
/// has one identity of each issuer.
public enum IdentityPlans {
    /// The rows that the store found for an assertion.
    public struct Rows: Sendable {
        /// Whether the assertion was used before.
        public let isUsed: Bool
        /// The account of the person whom the assertion names; `nil` if the person is unknown.
        public let holder: Account?

        /// Creates the rows that were found.
        public init(isUsed: Bool, holder: Account?) {
            self.isUsed = isUsed
            self.holder = holder
        }
    }

    /// Plans to use an assertion; the value is the account of its person, or the newcomer's new account if there is
    /// none.
    public static func admission(
        _ assertion: Assertion, or newcomer: NewAccount?, found rows: Rows
    ) throws(StoreError) -> AccountPlan<Account?> {
        let use = try use(assertion, rows)
        guard rows.holder == nil, let newcomer else { return AccountPlan([use], value: rows.holder) }
        let creation = AccountPlans.creation(of: newcomer.account, password: nil, audit: newcomer.audit)
        let act = AuditContext(by: newcomer.account.id, from: newcomer.audit.source, at: newcomer.audit.at)
        let link = LinkedIdentity(assertion, of: newcomer.account.id, by: act)
        return AccountPlan(
            claims: creation.claims, [use] + creation.changes + [.identity(.insert(link))],
            audit: creation.audit + [act.entry("identity.linked", of: link.account.text, detail: link.auditText)],
            events: creation.events, value: newcomer.account)
    }

    /// Plans to use an assertion and to link it with an account; an existing link stays as it is.
    ///
    /// - Parameter identities: The account's identities.
    /// - Throws: ``StoreError/taken(field:)`` with `digest` if the assertion was used, `subject` if the identity
    ///   belongs to another account, `issuer` if the account has another identity of the issuer.
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
            [use, .identity(.insert(link))],
            audit: [act.entry("identity.linked", of: account.text, detail: link.auditText)], value: link)
    }

    /// Returns the use of an assertion that proves the identity of an account's owner.
    ///
    /// - Throws: ``StoreError/taken(field:)`` with `digest` if the assertion was used, ``StoreError/moved`` if the
    ///   person has another account or none.
    static func proving(
        _ assertion: Assertion, of account: AccountID, found rows: Rows
    ) throws(StoreError) -> AccountRowChange {
        let use = try use(assertion, rows)
        guard rows.holder?.id == account else { throw .moved }
        return use
    }

    /// Plans to remove a link and to end the sessions that were opened with it. The account's sessions and API tokens
    /// for whose second factor its issuer vouched count as having shown one factor from now on.
    ///
    /// - Parameters:
    ///   - ways: The ways in which the account's owner can sign in.
    ///   - sessions: The account's sessions that were opened through the issuer.
    ///   - kept: The session that stays open.
    ///   - check: Receives the ways that would remain, and may throw to refuse the change.
    public static func unlinking(
        issuer: String, from account: AccountID, ways: WaysIn, sessions: [SessionID], keeping kept: SessionID?,
        by act: AuditContext, check: (_ left: WaysIn) throws -> Void
    ) throws -> AccountPlan<Void> {
        guard let identity = ways.identities.first(where: { $0.issuer == issuer }) else { throw StoreError.notFound }
        let left = ways.identities.filter { $0 != identity }
        try check(WaysIn(hasPassword: ways.hasPassword, hasPasskey: ways.hasPasskey, identities: left))
        let ended = sessions.filter { $0 != kept }
        let lowers = identity.vouching != .none
        return AccountPlan(
            [.identity(.remove(identity))] + ended.map { .session(.remove($0)) }
                + (lowers ? [.identity(.lowerVouched(of: account, by: issuer))] : []),
            audit: [act.entry("identity.unlinked", of: account.text, detail: identity.auditText)]
                + ended.map { act.entry("session.ended", of: account.text, detail: $0.auditText) },
            voided: lowers || !ended.isEmpty ? [.account(account)] : [],
            events: ended.map { .sessionEnded($0) } + (lowers ? [.accessChanged(account)] : []))
    }

    private static func use(_ assertion: Assertion, _ rows: Rows) throws(StoreError) -> AccountRowChange {
        if rows.isUsed { throw .taken(field: "digest") }
        return .identity(.useAssertion(assertion))
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
