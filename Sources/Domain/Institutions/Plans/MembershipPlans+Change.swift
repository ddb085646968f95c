import Cryptography
public import Shared

/// A role that a person is to have, with a teacher's programs, which belong to the institution.
package struct MembershipPlace: Sendable {
    /// The role.
    package let role: MemberRole
    /// A teacher's programs; empty for other roles.
    package let programs: [ProgramID]

    /// Creates a role with its programs.
    package init(role: MemberRole, programs: [ProgramID]) {
        self.role = role
        self.programs = programs
    }
}

extension MembershipPlans {
    /// Returns the change that joins what an invitation offers to a membership, which it never lowers.
    package static func change(
        of account: AccountID, accepting invitation: Invitation, joining before: Membership?, by act: AuditContext
    ) -> MembershipChange {
        change(
            before, to: place(of: invitation, joining: before), of: account, in: invitation.institution,
            through: .invitation, by: act)
    }

    private static func place(of invitation: Invitation, joining before: Membership?) -> MembershipPlace {
        guard let before else { return MembershipPlace(role: invitation.role, programs: invitation.programs) }
        return MembershipPlace(role: max(before.role, invitation.role), programs: before.programs + invitation.programs)
    }

    /// Returns the change that gives an account a role in place of what people gave it before.
    package static func change(
        _ before: Membership?, to place: MembershipPlace, of account: AccountID, in institution: InstitutionID,
        through origin: Grant.Origin = .hand, by act: AuditContext
    ) -> MembershipChange {
        let after = Membership(
            institution: institution, account: account, role: place.role, programs: place.programs,
            since: before?.since ?? act.at, origin: origin)
        return MembershipChange(
            membership: after, becomesStaff: after.role.isStaff && before?.role.isStaff != true,
            audit: act.entry(
                before == nil ? "member.added" : "member.changed", of: account.text, in: institution,
                detail: auditDetail(before: before?.auditText, after: after.auditText, reason: act.reason)),
            under: act.grounds)
    }

    /// Returns whether a change of role gives more rights; `nil` is no membership.
    package static func rises(from before: MemberRole?, to after: MemberRole) -> Bool {
        before.map { $0 < after } ?? true
    }

    /// Plans that a new account accepts the invitation that it was created for.
    ///
    /// - Parameter rows: The rows of the account in the invitation's institution.
    /// - Throws: `StoreError.notFound` if the invitation can no longer be accepted.
    public static func joining(
        _ invitation: Invitation?, madeBy maker: Maker?, found rows: Rows?, by act: AuditContext
    ) throws -> InstitutionPlan<Membership?> {
        try acceptance(of: invitation, by: maker, at: act.at, found: rows) { invitation, before in
            guard let rows, invitation.account == nil else { throw StoreError.notFound }
            return change(of: rows.account, accepting: invitation, joining: before, by: act)
        }
    }
}
