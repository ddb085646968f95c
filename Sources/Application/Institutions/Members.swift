public import Cryptography
public import Forms
import GradingKit
public import Institutions
public import Shared

/// The members of institutions. Callers check who may change them: ``MemberService`` does so for requests.
public struct Members: Sendable {
    private let store: any InstitutionStore
    private let identifiers: UUIDSource
    private let random: RandomSource
    private let links: LinkKeys?
    private let clock: WallClock
    private let cache: AccessCache<AccountID, AccountPlaces>

    init(
        store: any InstitutionStore, identifiers: UUIDSource, random: RandomSource, links: LinkKeys? = nil,
        clock: WallClock
    ) {
        self.store = store
        self.clock = clock
        self.identifiers = identifiers
        self.random = random
        self.links = links
        cache = AccessCache(capacity: 20_000, news: store.accessNews)
    }

    /// Returns an account's memberships in all institutions, with the access version at which it has them.
    ///
    /// - Parameter bypassingCache: Whether to read them from the store even if they are cached.
    public func places(of account: AccountID, bypassingCache: Bool = false) async throws -> AccountPlaces {
        if !bypassingCache, let known = cache.value(account), known.until.map({ clock.now < $0 }) ?? true {
            return known
        }
        // Taken before the memberships are read: a change in between makes the entry useless, but not wrong.
        let moment = cache.moment
        let places = try await store.places(of: account, at: clock.now)
        cache.keep(places, for: account, restingOn: .account(account), readAt: moment)
        return places
    }

    /// Returns an account's memberships in all institutions.
    public func memberships(of account: AccountID) async throws -> [Membership] {
        try await places(of: account).memberships
    }

    /// Returns whether the account is a registrar or teacher of any institution.
    public func isStaff(_ account: AccountID) async throws -> Bool {
        try await memberships(of: account).contains { $0.role.isStaff }
    }

    /// Returns a page of an institution's members, ordered by account; ``PageLimit`` clamps `limit`.
    public func list(
        of institution: InstitutionID, role: MemberRole? = nil, after cursor: AccountID? = nil, limit: Int = 50
    ) async throws -> [Member] {
        try await store.members(
            of: institution, role: role, after: cursor, limit: PageLimit.read(limit), at: clock.now)
    }

    /// Makes an account a member, or changes its role, without asking its owner. Only the server's configuration does
    /// this; people offer memberships with ``offer(_:to:in:only:by:)``.
    public func set(
        _ input: FormInput<MemberPlace>, for account: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Membership {
        let place = try await place(input, in: institution)
        let membership = try await store.amendMembership(of: account, in: institution) { before in
            MembershipPlans.change(before, to: place, of: account, in: institution, by: act)
        }
        guard let membership else { throw StoreError.notFound }
        return membership
    }

    /// Changes an account's role in an institution: at once if it does not rise, otherwise with an invitation that the
    /// account's owner accepts or declines.
    ///
    /// - Parameter only: The only role that the caller may give; `nil` for any.
    /// - Throws: `FaultList`; `StoreError.notFound` if the account does not exist; ``MembershipRefusal``.
    public func offer(
        _ input: FormInput<MemberPlace>, to account: AccountID, in institution: InstitutionID,
        only role: MemberRole? = nil,
        by act: AuditContext
    ) async throws -> Offer {
        let place = try await place(input, in: institution, only: role)
        let before = try await membership(of: account, in: institution)?.given
        if MembershipPlans.rises(from: before?.role, to: place.role) {
            if account == act.account { throw MembershipRefusal.ownRole }
            return .invitation(try await invite(to: place, account: account, in: institution, by: act).invitation)
        }
        let membership = try await store.amendMembership(of: account, in: institution) { before in
            // A role that was lowered in the meantime is not raised again without asking.
            guard !MembershipPlans.rises(from: before?.role, to: place.role) else { throw StoreError.moved }
            if role == .student, before?.role.isStaff == true { throw MembershipRefusal.otherRole }
            return MembershipPlans.change(before, to: place, of: account, in: institution, by: act)
        }
        guard let membership else { throw StoreError.notFound }
        return .membership(membership)
    }

    /// Ends the part of a membership that people gave. Grants from rules stay.
    ///
    /// - Parameter only: The only role that the caller may take away; `nil` for any.
    /// - Throws: `FaultList` with `membership_by_rule` if only rules grant the membership; `StoreError.notFound`;
    ///   ``MembershipRefusal``.
    public func remove(
        _ account: AccountID, from institution: InstitutionID, only role: MemberRole? = nil, by act: AuditContext
    ) async throws {
        if let membership = try await membership(of: account, in: institution), membership.given == nil,
            role == nil || role == membership.role
        {
            throw FaultList([Fault(.membershipByRule)])
        }
        _ = try await store.amendMembership(of: account, in: institution) { before in
            if let role, before?.role != role { throw MembershipRefusal.otherRole }
            guard let before else { throw StoreError.notFound }
            return MembershipChange(
                membership: nil, becomesStaff: false,
                audit: act.entry(
                    "member.removed", of: account.text, in: institution,
                    detail: auditDetail(before: before.auditText, after: nil, reason: act.reason)),
                under: act.grounds)
        }
    }

    /// Sets a member's student number, or removes it if `number` is `nil`.
    ///
    /// - Throws: `StoreError.notFound` if the account is not a member; `FaultList` if another member has the number.
    public func setStudentNumber(
        _ number: String?, of account: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Membership {
        do {
            return try await store.setStudentNumber(number, of: account, in: institution, by: act)
        } catch StoreError.taken {
            throw FaultList([Fault(.studentNumberTaken, at: "/studentNumber")])
        }
    }

    /// Returns the members of an institution with a student number, in any form in which it may be typed; two if it is
    /// ambiguous.
    public func accounts(numbered number: String, in institution: InstitutionID) async throws -> [AccountID] {
        try await store.members(numbered: number, in: institution)
    }

    /// Returns the names of some accounts, each with its student number in an institution, without deleted accounts. The
    /// caller must be allowed to see them.
    public func students(
        _ accounts: [AccountID], in institution: InstitutionID
    ) async throws -> [AccountID: StudentNames] {
        try await store.students(accounts, in: institution)
    }

    private func membership(of account: AccountID, in institution: InstitutionID) async throws -> Membership? {
        try await store.places(of: account, at: clock.now).memberships.first { $0.institution == institution }
    }

    /// Creates an invitation for the bearer of a link, with the token of the link. If the request names an address, the
    /// link is mailed there; if the server sends no mail, an address is a fault.
    ///
    /// - Throws: `FaultList`, ``MailLimitReached``, ``MembershipRefusal``.
    public func invite(
        _ input: FormInput<InvitationRequest>, to institution: InstitutionID, only role: MemberRole? = nil,
        by act: AuditContext
    ) async throws -> (invitation: Invitation, token: SecretToken) {
        var (form, request) = (input.form, input.value)
        if request.email != nil, links == nil { form.refuse("email", .unknownField) }
        let place = try await place(request.place, form, in: institution, only: role)
        return try await invite(to: place, account: nil, in: institution, mailing: request.email, by: act)
    }

    private func invite(
        to place: MembershipPlace, account: AccountID?, in institution: InstitutionID,
        mailing address: EmailAddress? = nil,
        by act: AuditContext
    ) async throws -> (invitation: Invitation, token: SecretToken) {
        let invitation = Invitation(
            id: identifiers.next(), institution: institution, account: account, role: place.role,
            programs: place.programs, createdBy: act.account, expiresAt: act.at.adding(seconds: Invitation.lifetime))
        let mail = try await mail(with: invitation, to: address, at: act.at)
        let token = mail.flatMap { links?.token(of: $0.id) } ?? SecretToken(random: random)
        try await store.insert(
            invitation, token: token.digest,
            audit: act.entry("invitation.created", of: invitation.id, in: institution, detail: invitation.auditText),
            mailing: mail, at: act.at, under: act.grounds)
        return (invitation, token)
    }

    /// Returns the mail with an invitation's link; `nil` if there is no address.
    private func mail(
        with invitation: Invitation, to address: EmailAddress?, at now: Timestamp
    ) async throws -> Mail? {
        guard let address, let institution = try await store.institution(invitation.institution) else { return nil }
        return Mail(
            id: identifiers.next(), .invitation, to: address, from: invitation.createdBy, subject: invitation.id,
            in: institution.locale, [:], at: now)
    }

    /// Returns an institution's open invitations, newest first.
    public func invitations(of institution: InstitutionID, at now: Timestamp) async throws -> [Invitation] {
        try await store.invitations(of: institution).filter { now < $0.expiresAt }
    }

    /// Returns the open invitations for an account, newest first.
    public func invitations(to account: AccountID, at now: Timestamp) async throws -> [Invitation] {
        try await store.invitations(to: account).filter { now < $0.expiresAt }
    }

    /// Declines an invitation for the account.
    public func decline(_ invitation: String, as account: AccountID, by act: AuditContext) async throws {
        try await store.decline(invitation, by: account) {
            act.entry("invitation.declined", of: invitation, in: $0.institution)
        }
    }

    /// Returns the invitation with a token; `nil` if it was used, has expired or never existed.
    public func invitation(_ token: SecretToken, at now: Timestamp) async throws -> Invitation? {
        guard let invitation = try await store.invitation(token.digest), now < invitation.expiresAt else { return nil }
        return invitation
    }

    /// Withdraws an invitation.
    ///
    /// - Parameter only: The only role whose invitations the caller may withdraw; `nil` for any.
    public func withdraw(
        _ invitation: String, of institution: InstitutionID, only role: MemberRole? = nil, by act: AuditContext
    ) async throws {
        if let role, try await store.invitations(of: institution).first(where: { $0.id == invitation })?.role != role {
            throw MembershipRefusal.otherRole
        }
        try await store.removeInvitation(
            invitation, of: institution, audit: act.entry("invitation.withdrawn", of: invitation, in: institution),
            under: act.grounds)
    }

    /// Accepts an invitation and returns the resulting membership. Accepting never lowers a role: a registrar stays
    /// one, and a teacher keeps earlier programs. An account cannot accept an invitation that it made itself.
    public func accept(
        _ acceptance: InvitationAcceptance, as account: AccountID, by act: AuditContext
    ) async throws -> Membership {
        let refusal = FaultList([Fault(.invitationRefused, at: acceptance.pointer)])
        guard let key = acceptance.key else { throw refusal }
        return try await redeem(key, as: account, at: acceptance.pointer, by: act)
    }

    /// Assigns the invitation of a link's token to the account whose owner opened the link, so that the owner sees the
    /// offer before accepting it. The link stays valid. Has no effect if the account cannot accept the invitation.
    public func makeOut(_ token: TokenDigest, to account: AccountID, at now: Timestamp) async throws {
        try await store.makeOutInvitation(token, to: account, at: now)
    }

    private func redeem(
        _ key: InvitationKey, as account: AccountID, at place: String, by act: AuditContext
    ) async throws -> Membership {
        do {
            let after = try await store.redeemInvitation(key, at: act.at, for: account) { invitation, before in
                guard invitation.createdBy != account else { throw FaultList([Fault(.invitationOwn, at: place)]) }
                return MembershipPlans.change(of: account, accepting: invitation, joining: before, by: act)
            }
            guard let after else { throw StoreError.notFound }
            return after
        } catch StoreError.notFound {
            throw FaultList([Fault(.invitationRefused, at: place)])
        }
    }
}

extension Members {
    /// Returns the role and programs of a request; the programs must belong to the institution.
    private func place(
        _ input: FormInput<MemberPlace>, in institution: InstitutionID, only wanted: MemberRole? = nil
    ) async throws -> MembershipPlace {
        try await place(input.value, input.form, in: institution, only: wanted)
    }

    /// Checks what can be checked only after reading the form.
    private func place(
        _ request: MemberPlace, _ form: Form, in institution: InstitutionID, only wanted: MemberRole?
    ) async throws -> MembershipPlace {
        var form = form
        var programs: [ProgramID] = []
        for (index, listed) in request.programs.enumerated() {
            guard let program = listed else {
                form.refuse("programs", FaultList([Fault(.wrongType, at: "/\(index)", ["expected": "string"])]))
                continue
            }
            if try await store.program(program)?.institution == institution {
                programs.append(program)
            } else {
                form.refuse("programs", FaultList([Fault(.programUnknown, at: "/\(index)")]))
            }
        }
        try form.finish()
        guard let role = request.role else { throw FaultList([Fault(.missingField, at: "/role")]) }
        if let wanted, role != wanted { throw MembershipRefusal.otherRole }
        return MembershipPlace(role: role, programs: programs)
    }
}
