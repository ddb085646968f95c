import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Institutions, their members and invitations.
struct InstitutionRoutes: RouteGroup {
    let institutions: InstitutionServices
    let access: InstitutionAccess
    let proofs: Proofs
    let repetition: IdempotentReply
    let links: PublicLinks

    /// Whether a request would make a person teacher or registrar.
    private static func givesStaffRole(_ call: Call) async throws -> Bool {
        try await MemberPlace.form.input(call.json()).value.role?.isStaff ?? false
    }

    var routes: [Route] { tenants + members + invitations }

    private var tenants: [Route] {
        [
            .open(
                .get, "/v1/institutions", "Institutions one may know", scope: .programsRead, reads: .page,
                .list(of: .institution)
            ) { call in
                let limit = try call.read(Query.limit)
                let found = try await institutions.tenants.list(
                    .visible(to: call.principal, at: call.now),
                    after: call.read(Query.cursor).map { InstitutionID($0) }, limit: limit)
                return .list(found, limit: limit, of: call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .administrator(
                .post, "/v1/institutions", "Found an institution", scope: .session,
                reads: [Header.idempotencyKey], takes: .json(NewInstitution.form), answers: 201,
                .wrapped("institution", .institution)
            ) { call in
                let permit = try access.administrator(call.principal)
                return try await repetition.answer(call, under: permit) { keep in
                    let made = try await institutions.tenants.create(
                        NewInstitution.form.input(call.json()), by: call.audit()
                    ) {
                        keep?(Self.answer($0, .created))
                    }
                    return Self.answer(made, .created)
                }
            },
            .open(
                .get, "/v1/institutions/{institution}", "An institution, by id or slug", scope: .programsRead,
                .wrapped("institution", .institution)
            ) { call in
                let institution = try await access.institution(.read, call["institution"], for: call.principal)
                return Self.answer(institution)
            },
            .signedIn(
                .patch, "/v1/institutions/{institution}", "Change an institution", scope: .session,
                takes: .json(InstitutionEdit.form), .wrapped("institution", .institution)
            ) { call in
                let found = try await access.institution(.write, call["institution"], for: call.principal)
                let institution = try await institutions.tenants.edit(
                    InstitutionEdit(call.json()), of: found.id, by: call.audit())
                return Self.answer(institution)
            }.proven(by: proofs) { try await changesSecondFactor($0) },
        ]
    }

    /// Whether a request would change who must have a second factor.
    private func changesSecondFactor(_ call: Call) async throws -> Bool {
        guard let demand = try await InstitutionEdit.form.input(call.json()).value.secondFactor else { return false }
        return try await access.institution(.write, call["institution"], for: call.principal).secondFactor != demand
    }

    private static func answer(_ institution: Institution, _ status: Status = .ok) -> Response {
        .json(status) { $0.object { $0.member("institution") { institution.write(to: &$0) } } }
    }

    private static let role = Parameter.choice("role", of: MemberRole.self, "The role to have.")

    private var members: [Route] {
        [
            .signedIn(.get, "/v1/memberships", "What I am a member of", scope: .profileRead, .list(of: .membership)) {
                call in
                let memberships = try await institutions.members.memberships(of: call.caller)
                return .list(memberships, limit: .max, of: call, cursor: \.institution.text) {
                    $0.write(to: &$1)
                }
            },
            .signedIn(
                .get, "/v1/institutions/{institution}/members", "Its members; for teachers its students",
                scope: .rosterRead,
                reads: .page + [Self.role], .list(of: .member)
            ) { call in
                let (institution, seesAll) = try await access.members(of: call["institution"], for: call.principal)
                let limit = try call.read(Query.limit)
                let role = try call.read(Self.role)
                let found = try await institutions.members.list(
                    of: institution.id, role: seesAll ? role : .student,
                    after: call.read(Query.cursor).map { AccountID($0) }, limit: limit)
                return .list(found, limit: limit, of: call, cursor: \.membership.account.text) {
                    $0.write(to: &$1)
                }
            },
            .signedIn(
                .put, "/v1/institutions/{institution}/members/{account}",
                "Change somebody's role: at once, or, where it rises, by an invitation to accept (202)",
                scope: .rosterWrite,
                takes: .json(MemberPlace.form),
                .document("Offer", ["member?": .membership, "invitation?": .invitation]), also: [202]
            ) { call in
                let (institution, role) = try await access.appointing(in: call["institution"], for: call.principal)
                let offer = try await institutions.members.offer(
                    MemberPlace.form.input(call.json()), to: AccountID(call["account"]), in: institution.id, only: role,
                    by: call.audit())
                switch offer {
                case .membership(let membership): return Self.answer(membership)
                case .invitation(let invitation):
                    return .json(.accepted) { $0.object { $0.member("invitation") { invitation.write(to: &$0) } } }
                }
            }.proven(by: proofs, where: Self.givesStaffRole),
            .signedIn(
                .delete, "/v1/institutions/{institution}/members/{account}",
                "Take back what people gave a member; what a provider's rule grants stays", scope: .rosterWrite,
                answers: 204, refuses: [.invalid]
            ) { call in
                let (institution, role) = try await access.appointing(in: call["institution"], for: call.principal)
                try await institutions.members.remove(
                    AccountID(call["account"]), from: institution.id, only: role, by: call.audit())
                return Response(.noContent)
            },
        ]
    }

    private static func answer(_ membership: Membership, _ status: Status = .ok) -> Response {
        .json(status) { $0.object { $0.member("member") { membership.write(to: &$0) } } }
    }

    private var invitations: [Route] {
        [
            .signedIn(
                .get, "/v1/institutions/{institution}/invitations", "Open invitations", scope: .rosterRead,
                .list(of: .invitation)
            ) { call in
                let (institution, role) = try await access.appointing(
                    in: call["institution"], for: call.principal, reads: true)
                let open = try await institutions.members.invitations(of: institution.id, at: call.now)
                    .filter { role == nil || $0.role == role }
                return .list(open, limit: .max, of: call, cursor: \.id) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, "/v1/institutions/{institution}/invitations", "Invite somebody by a one-time token",
                scope: .rosterWrite,
                takes: .json(InvitationRequest.form), answers: 201, .wrapped("invitation", .invitation)
            ) { call in
                let (institution, role) = try await access.appointing(in: call["institution"], for: call.principal)
                let (invitation, token) = try await institutions.members.invite(
                    InvitationRequest.form.input(call.json()), to: institution.id, only: role, by: call.audit())
                let url = links.url(of: "/invitation#\(token.text)")
                return .json(.created) {
                    $0.object { $0.member("invitation") { invitation.write(to: &$0, token: token.text, url: url) } }
                }
            }.proven(by: proofs, where: Self.givesStaffRole),
            .signedIn(
                .delete, "/v1/institutions/{institution}/invitations/{invitation}", "Take an invitation back",
                scope: .rosterWrite,
                answers: 204
            ) { call in
                let (institution, role) = try await access.appointing(in: call["institution"], for: call.principal)
                try await institutions.members.withdraw(
                    call["invitation"], of: institution.id, only: role, by: call.audit())
                return Response(.noContent)
            },
        ] + ownInvitations
    }

    private var ownInvitations: [Route] {
        [
            .signedIn(.get, "/v1/invitations", "Invitations made out to me", scope: .session, .list(of: .invitation)) {
                call in
                let offers = try await institutions.members.invitations(to: call.signedIn.account, at: call.now)
                var titles: [InstitutionID: String] = [:]
                for offer in offers {
                    titles[offer.institution] = try await institutions.tenants.find(offer.institution.text)?.title
                }
                return .list(offers, limit: .max, of: call, cursor: \.id) { offer, writer in
                    offer.write(to: &writer, title: titles[offer.institution] ?? "")
                }
            },
            .signedIn(
                .delete, "/v1/invitations/{invitation}", "Decline an invitation made out to me", scope: .session,
                answers: 204
            ) {
                call in
                try await institutions.members.decline(
                    call["invitation"], as: call.signedIn.account, by: call.audit())
                return Response(.noContent)
            },
            .signedIn(
                .post, "/v1/invitations/accept",
                "Accept an invitation: by the token of its link, or one made out to me by its identifier",
                scope: .session,
                takes: .json(InvitationAcceptance.form), answers: 201, .wrapped("member", .membership)
            ) { call in
                let membership = try await institutions.members.accept(
                    InvitationAcceptance(call.json()), as: call.signedIn.account, by: call.audit())
                return Self.answer(membership, .created)
            },
        ]
    }
}

extension Call {
    /// The program that the path names.
    var program: ProgramID { ProgramID(self["program"]) }
}

extension SignedInCall {
    /// The program that the path names.
    var program: ProgramID { ProgramID(self["program"]) }
}

extension InstitutionScope {
    /// The institutions that a principal may know of.
    fileprivate static func visible(to principal: Principal, at moment: Timestamp) -> InstitutionScope {
        guard let account = principal.account else { return .open }
        return principal.isAdministrator ? .all : .visible(to: account, at: moment)
    }
}
