public import Cryptography
public import Shared

/// Plans the writes of memberships and invitations from the rows that the store found.
public enum MembershipPlans {
    /// The rows that the store found for an account in an institution.
    public struct Rows: Sendable {
        /// The account.
        public let account: AccountID
        /// The institution.
        public let institution: InstitutionID
        /// Whether the account exists and belongs to a person, not to a service.
        public let isThere: Bool
        /// Its grants in the institution, from people and from rules.
        public let grants: [Grant]
        /// The institution's invitations for it.
        public let offers: [Invitation]
        /// Its student number in the institution; `nil` if it has none.
        public let studentNumber: String?

        /// Creates the rows that were found.
        public init(
            account: AccountID, institution: InstitutionID, isThere: Bool, grants: [Grant], offers: [Invitation],
            studentNumber: String? = nil
        ) {
            self.account = account
            self.institution = institution
            self.isThere = isThere
            self.grants = grants
            self.offers = offers
            self.studentNumber = studentNumber
        }

        /// The membership that people gave; `nil` if they gave none.
        fileprivate var given: Membership? {
            grants.first { $0.rule == nil }.map { grant in
                Membership(
                    institution: institution, account: account, role: grant.role, programs: grant.programs,
                    since: grant.since, origin: grant.origin
                ).numbered(studentNumber)
            }
        }

        /// Returns the account's membership at a moment if people give `given`, including the grants from rules.
        fileprivate func membership(giving given: Membership?, at moment: Timestamp) -> Membership? {
            Membership(
                institution: institution, account: account,
                grants: (given?.grants ?? []) + grants.filter { $0.rule != nil }, at: moment
            )?.numbered(studentNumber)
        }
    }

    /// What a store has found of the one who made an invitation.
    public struct Maker: Sendable {
        /// The role in the invitation's institution; `nil` for none.
        public let role: MemberRole?
        /// Whether it is an administrator of the server.
        public let isAdministrator: Bool

        /// What was found of an account that may act.
        public init(role: MemberRole?, isAdministrator: Bool) {
            self.role = role
            self.isAdministrator = isAdministrator
        }

        /// Whether it may appoint people to a role: registrars to all, administrators to registrars alone.
        fileprivate func appoints(_ role: MemberRole) -> Bool {
            self.role == .registrar || isAdministrator && role == .registrar
        }
    }

    /// Withdraws the account's open offers and the invitations that it made when its role falls. An older offer must not
    /// restore a role that was taken away since.
    static func fall(
        from before: MemberRole?, to after: MemberRole?, of account: AccountID, in institution: InstitutionID
    ) -> [InstitutionRowChange] {
        guard let before, after.map({ $0 < before }) ?? true else { return [] }
        return [
            .invitation(.withdrawOffers(to: account, in: institution)),
            .invitation(.withdrawMade(by: account, in: institution)),
        ]
    }

    /// What `change` makes of what people gave of a membership.
    public static func amendment(
        _ rows: Rows, _ change: (Membership?) throws -> MembershipChange
    ) throws -> InstitutionPlan<Membership?> {
        let change = try change(rows.given)
        guard rows.isThere else { throw StoreError.notFound }
        var changes: [InstitutionRowChange]
        if let membership = change.membership {
            changes = [.member(.set(membership))]
        } else {
            changes = [.member(.remove(of: rows.account, in: rows.institution))]
            changes += rows.offers.map { .invitation(.remove($0)) }
        }
        let after = rows.membership(giving: change.membership, at: change.audit.at)
        let before = rows.membership(giving: rows.given, at: change.audit.at)
        changes += fall(from: before?.role, to: after?.role, of: rows.account, in: rows.institution)
        if after == nil, rows.studentNumber != nil {
            changes.append(.member(.setStudentNumber(nil, of: rows.account, in: rows.institution)))
        }
        if change.becomesStaff { changes.append(.member(.tightenSessions(of: rows.account, at: change.audit.at))) }
        return InstitutionPlan(
            under: change.grounds, changes, audit: [change.audit], voided: [.account(rows.account)],
            events: [.accessChanged(rows.account)],
            value: after)
    }

    /// Plans to set a member's student number, or to remove it if `number` is `nil`. No permission depends on it.
    ///
    /// - Parameter holder: The account with the number in the institution; `nil` if there is none.
    /// - Throws: `StoreError.notFound` if the account is not a member, `.taken` if another member has the number.
    public static func numbering(
        _ number: String?, of rows: Rows, heldBy holder: AccountID?, by act: AuditContext
    ) throws(StoreError) -> InstitutionPlan<Membership> {
        guard rows.isThere, let before = rows.membership(giving: rows.given, at: act.at) else { throw .notFound }
        if let holder, holder != rows.account { throw .taken(field: "studentNumber") }
        let after = before.numbered(number)
        guard after != before else { return InstitutionPlan([], value: before) }
        return InstitutionPlan(
            under: act.grounds, [.member(.setStudentNumber(number, of: rows.account, in: rows.institution))],
            audit: [
                act.entry(
                    "member.changed", of: rows.account.text, in: rows.institution,
                    detail: auditDetail(before: before.auditText, after: after.auditText, reason: act.reason))
            ], altered: [.account(rows.account)], value: after)
    }

    /// Plans a new invitation. One for an account replaces the institution's earlier ones for that account.
    ///
    /// - Parameters:
    ///   - rows: The rows of the invited account; `nil` if the invitation is for the bearer of its token.
    ///   - mail: The mail with its link, with the times of earlier mails to the address and from the sender; `nil` if
    ///     no mail is to be sent.
    /// - Throws: `StoreError.notFound` if the invited account does not exist; ``MailLimitReached``.
    public static func invitation(
        _ invitation: Invitation, token: TokenDigest, audit: AuditEntry, found rows: Rows?,
        mailing mail: (mail: Mail, earlier: [Timestamp], sent: [Timestamp])? = nil, under grounds: [AccessGround] = []
    ) throws -> InstitutionPlan<Void> {
        if let rows, !rows.isThere { throw StoreError.notFound }
        if let mail { try MailPlans.check(mail.mail, after: mail.earlier, bySender: mail.sent) }
        let earlier = rows?.offers ?? []
        return InstitutionPlan(
            under: grounds, earlier.map { .invitation(.remove($0)) } + [.invitation(.insert(invitation, token: token))],
            audit: [audit],
            mails: mail.map { [$0.mail] } ?? [])
    }

    /// Plans to assign an invitation to the account whose owner opened its link. The plan is empty if the account made
    /// the invitation itself, or if the invitation is already assigned or can no longer be accepted.
    public static func makingOut(
        _ invitation: Invitation?, to account: Rows?, at moment: Timestamp
    ) -> InstitutionPlan<Void> {
        guard let invitation, let account, account.isThere, invitation.account == nil,
            invitation.createdBy != account.account, moment < invitation.expiresAt
        else { return InstitutionPlan([]) }
        return InstitutionPlan([.invitation(.makeOut(invitation, to: account.account))])
    }

    /// Plans that the invited account declines an invitation.
    public static func decline(
        _ invitation: Invitation?, audit: (Invitation) -> AuditEntry
    ) throws(StoreError) -> InstitutionPlan<Void> {
        guard let invitation else { throw .notFound }
        return InstitutionPlan([.invitation(.remove(invitation))], audit: [audit(invitation)])
    }

    /// Plans to withdraw an invitation.
    public static func withdrawal(
        of invitation: Invitation?, audit: AuditEntry, under grounds: [AccessGround] = []
    ) throws(StoreError) -> InstitutionPlan<Void> {
        guard let invitation else { throw .notFound }
        return InstitutionPlan(under: grounds, [.invitation(.remove(invitation))], audit: [audit])
    }

    /// Plans to use an invitation and to change the membership as `amendment` does.
    ///
    /// - Parameters:
    ///   - maker: who made it, if the account is there and may act; an invitation that the server itself made needs none.
    ///   - rows: of the account that accepts, in the invitation's institution.
    /// - Throws: `StoreError.notFound` if the invitation does not exist or has expired, or if its maker may no longer appoint
    ///   members to its role.
    public static func acceptance(
        of invitation: Invitation?, by maker: Maker?, at moment: Timestamp, found rows: Rows?,
        _ change: (Invitation, Membership?) throws -> MembershipChange
    ) throws -> InstitutionPlan<Membership?> {
        guard let invitation, let rows, moment < invitation.expiresAt,
            invitation.createdBy == nil || maker?.appoints(invitation.role) == true
        else { throw StoreError.notFound }
        var plan = try amendment(rows) { try change(invitation, $0) }
        plan.changes.insert(.invitation(.remove(invitation)), at: 0)
        return plan
    }
}
