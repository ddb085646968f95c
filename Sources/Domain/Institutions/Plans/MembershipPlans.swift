public import Cryptography
public import Shared

/// The rules of memberships and invitations, over the rows that a store has found.
public enum MembershipPlans {
    /// What a store has found of an account in an institution.
    public struct Rows: Sendable {
        /// The account.
        public let account: AccountID
        /// The institution.
        public let institution: InstitutionID
        /// Whether there is such a person: a service account is none.
        public let isThere: Bool
        /// What was granted to it in the institution, by people and by rules.
        public let grants: [Grant]
        /// The institution's invitations that are made out to it.
        public let offers: [Invitation]

        /// What was found.
        public init(
            account: AccountID, institution: InstitutionID, isThere: Bool, grants: [Grant], offers: [Invitation]
        ) {
            self.account = account
            self.institution = institution
            self.isThere = isThere
            self.grants = grants
            self.offers = offers
        }

        /// What people gave; `nil` for nothing.
        fileprivate var given: Membership? {
            grants.first { $0.rule == nil }.map { grant in
                Membership(
                    institution: institution, account: account, role: grant.role, programs: grant.programs,
                    since: grant.since, origin: grant.origin)
            }
        }

        /// What the account is once people have given something else.
        fileprivate func membership(giving given: Membership?, at moment: Timestamp) -> Membership? {
            Membership(
                institution: institution, account: account,
                grants: (given?.grants ?? []) + grants.filter { $0.rule != nil }, at: moment)
        }
    }

    /// What `change` makes of what people gave of a membership. The end of that takes the open offers with it: none of them must bring back
    /// what was taken away since.
    public static func amendment(
        _ rows: Rows, _ change: (Membership?) throws -> MembershipChange
    ) throws -> InstitutionPlan<Membership?> {
        let change = try change(rows.given)
        guard rows.isThere else { throw StoreError.notFound }
        var changes: [InstitutionRowChange]
        if let membership = change.membership {
            changes = [.setMembership(membership)]
        } else {
            changes = [.removeMembership(of: rows.account, in: rows.institution)]
            changes += rows.offers.map { .removeInvitation($0) }
        }
        if change.becomesStaff { changes.append(.tightenSessions(of: rows.account, at: change.audit.at)) }
        return InstitutionPlan(
            changes, audit: [change.audit], voided: [.account(rows.account)], events: [.accessChanged(rows.account)],
            value: rows.membership(giving: change.membership, at: change.audit.at))
    }

    /// An invitation. One that is made out to an account replaces the institution's earlier ones to that account.
    ///
    /// - Parameters:
    ///   - rows: of the account to which it is made out; `nil` for the bearer of its token.
    ///   - mail: the mail with its link, and when those before it were written to that address, and by its sender; `nil`
    ///     for none.
    public static func invitation(
        _ invitation: Invitation, token: TokenDigest, audit: AuditEntry, found rows: Rows?,
        mailing mail: (mail: Mail, earlier: [Timestamp], sent: [Timestamp])? = nil
    ) throws -> InstitutionPlan<Void> {
        if let rows, !rows.isThere { throw StoreError.notFound }
        if let mail { try MailPlans.check(mail.mail, after: mail.earlier, bySender: mail.sent) }
        let earlier = rows?.offers ?? []
        return InstitutionPlan(
            earlier.map { .removeInvitation($0) } + [.insertInvitation(invitation, token: token)], audit: [audit],
            mails: mail.map { [$0.mail] } ?? [])
    }

    /// An invitation that is declined by the account to which it is made out.
    public static func decline(
        _ invitation: Invitation?, audit: (Invitation) -> AuditEntry
    ) throws(StoreError) -> InstitutionPlan<Void> {
        guard let invitation else { throw .notFound }
        return InstitutionPlan([.removeInvitation(invitation)], audit: [audit(invitation)])
    }

    /// An invitation that is taken back.
    public static func withdrawal(
        of invitation: Invitation?, audit: AuditEntry
    ) throws(StoreError) -> InstitutionPlan<Void> {
        guard let invitation else { throw .notFound }
        return InstitutionPlan([.removeInvitation(invitation)], audit: [audit])
    }

    /// Uses up an invitation, and does what `amendment` does.
    ///
    /// - Parameter rows: of the account that accepts, in the invitation's institution.
    public static func acceptance(
        of invitation: Invitation?, at moment: Timestamp, found rows: Rows?,
        _ change: (Invitation, Membership?) throws -> MembershipChange
    ) throws -> InstitutionPlan<Membership?> {
        guard let invitation, let rows, moment < invitation.expiresAt else { throw StoreError.notFound }
        var plan = try amendment(rows) { try change(invitation, $0) }
        plan.changes.insert(.removeInvitation(invitation), at: 0)
        return plan
    }
}
