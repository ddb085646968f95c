public import Cryptography
import Forms
public import GradingKit
public import Storage

/// Who belongs to which institution. Who may change it is decided outside.
public struct Members: Sendable {
    private let store: any InstitutionStore
    private let identifiers: UUIDSource
    private let random: RandomSource
    private let cache = AccessCache<AccountID, [Membership]>(capacity: 20_000)

    init(store: any InstitutionStore, identifiers: UUIDSource, random: RandomSource) {
        self.store = store
        self.identifiers = identifiers
        self.random = random
    }

    /// An account's memberships as looked up a moment ago, without asking the store; `nil` says nothing: ask
    /// `memberships`. Never out of date on this node.
    public func recent(_ account: AccountID) -> [Membership]? {
        cache.value(account, accessVersion: store.accessVersion)
    }

    /// An account's memberships in all institutions.
    public func memberships(of account: AccountID) async throws -> [Membership] {
        // Read before the memberships: a change in between makes the entry worthless rather than wrong.
        let accessVersion = store.accessVersion
        if let known = cache.value(account, accessVersion: accessVersion) { return known }
        let memberships = try await store.memberships(of: account)
        cache.keep(memberships, for: account, accessVersion: accessVersion)
        return memberships
    }

    /// Whether the account is registrar or teacher anywhere.
    public func isStaff(_ account: AccountID) async throws -> Bool {
        try await memberships(of: account).contains { $0.role.isStaff }
    }

    /// A page of an institution's members in the order of their accounts; `limit` 1…200.
    public func list(
        of institution: InstitutionID, role: MemberRole? = nil, after cursor: AccountID? = nil, limit: Int = 50
    ) async throws -> [Member] {
        try await store.members(of: institution, role: role, after: cursor, limit: min(max(limit, 1), 200))
    }

    /// Makes an account a member, or changes what it is, from `{role,programs?}`. A role that changes from or to
    /// one of staff ends the account's sessions.
    public func set(
        _ body: JSON, for account: AccountID, in institution: InstitutionID, by act: Act
    ) async throws -> Membership {
        var form = Form(body)
        let place = try await place(&form, in: institution)
        try form.finish()
        guard let place else { throw FaultList([Fault(.missingField, at: "/role")]) }
        let membership = try await store.amendMembership(of: account, in: institution) { before in
            Members.change(before, to: place, of: account, in: institution, by: act)
        }
        guard let membership else { throw StoreError.notFound }
        return membership
    }

    /// Ends a membership.
    public func remove(_ account: AccountID, from institution: InstitutionID, by act: Act) async throws {
        _ = try await store.amendMembership(of: account, in: institution) { before in
            guard let before else { throw StoreError.notFound }
            return MembershipChange(
                membership: nil, endsSessions: before.role.isStaff,
                audit: act.entry(
                    "member.removed", of: account.text, in: institution,
                    detail: auditDetail(before: before.auditText, after: nil, reason: act.reason)))
        }
    }

    /// Makes an invitation from `{role,programs?}`, with the token for its link.
    public func invite(
        _ body: JSON, to institution: InstitutionID, by act: Act
    ) async throws -> (invitation: Invitation, token: SecretToken) {
        var form = Form(body)
        let place = try await place(&form, in: institution)
        try form.finish()
        guard let place else { throw FaultList([Fault(.missingField, at: "/role")]) }
        let invitation = Invitation(
            id: identifiers.next(), institution: institution, role: place.role, programs: place.programs,
            createdBy: act.account, expiresAt: act.at.adding(seconds: Invitation.lifetime))
        let token = SecretToken(random: random)
        try await store.insert(
            invitation, token: token.digest,
            audit: act.entry("invitation.created", of: invitation.id, in: institution, detail: invitation.auditText))
        return (invitation, token)
    }

    /// An institution's open invitations, newest first.
    public func invitations(of institution: InstitutionID, at now: Instant) async throws -> [Invitation] {
        try await store.invitations(of: institution).filter { now < $0.expiresAt }
    }

    /// What an invitation offers; `nil` when it was used, has expired or never was one.
    public func invitation(_ token: SecretToken, at now: Instant) async throws -> Invitation? {
        guard let invitation = try await store.invitation(token.digest), now < invitation.expiresAt else { return nil }
        return invitation
    }

    /// Takes an invitation back.
    public func withdraw(_ invitation: String, of institution: InstitutionID, by act: Act) async throws {
        try await store.removeInvitation(
            invitation, of: institution, audit: act.entry("invitation.withdrawn", of: invitation, in: institution))
    }

    /// Takes `{token}`: makes the account what the invitation offers. It never takes a role away: a registrar stays
    /// one, and a teacher's programs add up.
    ///
    /// - Returns: the membership, and whether the account's sessions have ended, so that it needs a new one.
    public func accept(
        _ body: JSON, as account: AccountID, by act: Act
    ) async throws -> (membership: Membership, endedSessions: Bool) {
        var form = Form(body)
        let secret = form.text("token", required: true)
        try form.finish()
        guard let token = secret.flatMap({ SecretToken(text: $0) }) else { throw Members.refusedInvitation }
        let before = try await store.memberships(of: account)
        do {
            let after = try await store.redeemInvitation(token.digest, at: act.at, for: account) { invitation, before in
                Members.change(
                    before, to: Members.place(of: invitation, joining: before), of: account,
                    in: invitation.institution, by: act)
            }
            guard let after else { throw StoreError.notFound }
            let role = before.first { $0.institution == after.institution }?.role
            return (after, Members.endsSessions(from: role, to: after.role))
        } catch StoreError.notFound {
            throw Members.refusedInvitation
        }
    }
}

extension Members {
    /// The most programs that a membership names.
    private static let mostPrograms = 1_000
    private static let refusedInvitation = FaultList([Fault(.invitationRefused, at: "/token")])

    /// A role with a teacher's programs.
    fileprivate struct Place: Sendable {
        let role: MemberRole
        let programs: [ProgramID]
    }

    private static func place(of invitation: Invitation, joining before: Membership?) -> Place {
        guard let before else { return Place(role: invitation.role, programs: invitation.programs) }
        let ranks: [MemberRole] = [.registrar, .teacher, .student]
        let role = ranks.first { $0 == before.role || $0 == invitation.role } ?? invitation.role
        return Place(role: role, programs: before.programs + invitation.programs)
    }

    private static func change(
        _ before: Membership?, to place: Place, of account: AccountID, in institution: InstitutionID, by act: Act
    ) -> MembershipChange {
        let after = Membership(
            institution: institution, account: account, role: place.role, programs: place.programs,
            since: before?.since ?? act.at)
        return MembershipChange(
            membership: after, endsSessions: endsSessions(from: before?.role, to: after.role),
            audit: act.entry(
                before == nil ? "member.added" : "member.changed", of: account.text, in: institution,
                detail: auditDetail(before: before?.auditText, after: after.auditText, reason: act.reason)))
    }

    private static func endsSessions(from before: MemberRole?, to after: MemberRole) -> Bool {
        before != after && (after.isStaff || before?.isStaff == true)
    }

    /// Reads `role` and `programs`, which must be the institution's own.
    private func place(_ form: inout Form, in institution: InstitutionID) async throws -> Place? {
        let role = form.choice("role", of: MemberRole.self, required: true)
        var programs: [ProgramID] = []
        let sent = form.array("programs") ?? []
        guard sent.count <= Members.mostPrograms else {
            form.refuse("programs", FaultList([Fault(.entryLimit, ["limit": .number("\(Members.mostPrograms)")])]))
            return nil
        }
        for (index, element) in sent.enumerated() {
            guard let text = element.string else {
                form.refuse("programs", FaultList([Fault(.wrongType, at: "/\(index)", ["expected": "string"])]))
                continue
            }
            let program = ProgramID(text)
            if try await store.program(program)?.institution == institution {
                programs.append(program)
            } else {
                form.refuse("programs", FaultList([Fault(.programUnknown, at: "/\(index)")]))
            }
        }
        return role.map { Place(role: $0, programs: programs) }
    }
}
