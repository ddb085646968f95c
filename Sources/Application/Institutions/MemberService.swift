public import Cryptography
public import Forms
public import Institutions
public import Shared

/// The memberships of institutions, for callers who may see or decide on them: registrars on all, administrators on
/// registrars alone, and tokens on students alone. Institutions are named by their identifier or slug; one that the
/// caller may not know is `not_found`.
///
/// What a request contains is read only once its sender is known to be allowed.
public struct MemberService: Sendable {
    let members: Members
    let access: InstitutionAccess

    /// A page of members to read.
    public struct Page: Sendable {
        /// The role to have; `nil` for any.
        let role: MemberRole?
        /// The account after which the page begins; `nil` for the first page.
        let cursor: AccountID?
        /// The maximum number of members, which ``PageLimit`` clamps.
        let limit: Int

        /// Creates a page to read.
        public init(role: MemberRole?, after cursor: AccountID?, limit: Int) {
            self.role = role
            self.cursor = cursor
            self.limit = limit
        }
    }

    /// Returns a page of an institution's members, ordered by account; teachers see its students alone.
    public func list(
        of institution: String, _ page: @autoclosure () throws -> Page, for context: AccountContext
    ) async throws -> [Member] {
        let (institution, seesAll) = try await access.members(of: institution, for: context.principal)
        let page = try page()
        return try await members.list(
            of: institution.id, role: seesAll ? page.role : .student, after: page.cursor, limit: page.limit)
    }

    /// Changes an account's role: at once if it does not rise, otherwise with an invitation that its owner accepts or
    /// declines.
    ///
    /// - Throws: `forbidden`; `FaultList`; `StoreError.notFound` if the account does not exist; ``MembershipRefusal``.
    public func offer(
        _ input: @autoclosure () async throws -> FormInput<MemberPlace>, to account: AccountID,
        in institution: String, by context: AccountContext
    ) async throws -> Offer {
        let permit = try await access.appointing(in: institution, for: context.principal)
        return try await members.offer(
            await input(), to: account, in: permit.institution.id, only: permit.only, by: context.audit(under: permit))
    }

    /// Sets a member's student number, or removes it if `number` is `nil`.
    ///
    /// - Throws: `forbidden`; `StoreError.notFound` if the account is not a member; `FaultList` if another member has
    ///   the number.
    public func setStudentNumber(
        _ number: @autoclosure () async throws -> String?, of account: AccountID, in institution: String,
        by context: AccountContext
    ) async throws -> Membership {
        let permit = try await access.permit(to: May.ManageMembers.self, in: institution, for: context.principal)
        return try await members.setStudentNumber(
            await number(), of: account, in: permit.institution.id, by: context.audit(under: permit))
    }

    /// Ends the part of a membership that people gave. Grants from rules stay.
    ///
    /// - Throws: `forbidden`; `FaultList` with `membership_by_rule` if only rules grant the membership;
    ///   `StoreError.notFound`; ``MembershipRefusal``.
    public func remove(_ account: AccountID, from institution: String, by context: AccountContext) async throws {
        let permit = try await access.appointing(in: institution, for: context.principal)
        try await members.remove(
            account, from: permit.institution.id, only: permit.only, by: context.audit(under: permit))
    }

    /// Returns an institution's open invitations to roles on which the caller decides, newest first.
    public func invitations(of institution: String, for context: AccountContext) async throws -> [Invitation] {
        let permit = try await access.appointing(in: institution, for: context.principal, reads: true)
        return try await members.invitations(of: permit.institution.id, at: context.now)
            .filter { permit.only == nil || $0.role == permit.only }
    }

    /// Creates an invitation for the bearer of a link, with the token of the link.
    ///
    /// - Throws: `forbidden`; `FaultList`; `MailLimitReached`; ``MembershipRefusal``.
    public func invite(
        _ input: @autoclosure () async throws -> FormInput<InvitationRequest>, to institution: String,
        by context: AccountContext
    ) async throws -> (invitation: Invitation, token: SecretToken) {
        let permit = try await access.appointing(in: institution, for: context.principal)
        return try await members.invite(
            await input(), to: permit.institution.id, only: permit.only, by: context.audit(under: permit))
    }

    /// Withdraws an invitation; throws `forbidden`, `StoreError.notFound` or ``MembershipRefusal``.
    public func withdraw(_ invitation: String, of institution: String, by context: AccountContext) async throws {
        let permit = try await access.appointing(in: institution, for: context.principal)
        try await members.withdraw(
            invitation, of: permit.institution.id, only: permit.only, by: context.audit(under: permit))
    }
}
