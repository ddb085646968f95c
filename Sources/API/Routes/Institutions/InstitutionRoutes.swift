import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Routes for institutions, their members and invitations.
struct InstitutionRoutes: RouteGroup {
    let institutions: InstitutionService
    let members: MemberService
    /// What callers do about their own memberships and invitations.
    let own: Members
    let tenants: Tenants
    let proofs: Proofs
    let idempotency: IdempotentReply
    let links: PublicLinks

    /// Returns whether a request would give a person a staff role.
    private static func givesStaffRole(_ call: Call) async throws -> Bool {
        try await MemberPlace.form.input(call.json()).value.role?.isStaff ?? false
    }

    var routes: [Route] { institution + membership + invitations }

    private var institution: [Route] {
        [
            .open(
                .get, "/v1/institutions", "Institutions one may know", scope: .programsRead, reads: .page,
                .list(of: .institution)
            ) { call in
                let limit = try call.read(Query.limit)
                let found = try await institutions.list(
                    after: call.read(Query.cursor).map { InstitutionID($0) }, limit: limit + 1, for: call.context)
                return .list(found, limit: limit, of: call, cursor: \.id.text) { $0.write(to: &$1) }
            },
            .administrator(
                .post, "/v1/institutions", "Found an institution", scope: .session,
                reads: [Header.idempotencyKey], takes: .json(NewInstitution.form), answers: 201,
                .wrapped("institution", .institution)
            ) { call in
                try await institutions.create(
                    await NewInstitution.form.input(call.json()), by: call.context,
                    answering: idempotency.answering(call) { Self.answer($0, .created) })
            },
            .open(
                .get, "/v1/institutions/{institution}", "An institution, by id or slug", scope: .programsRead,
                .wrapped("institution", .institution)
            ) { call in
                Self.answer(try await institutions.find(call["institution"], for: call.context))
            },
            .signedIn(
                .patch, "/v1/institutions/{institution}", "Change an institution; its slug only as an administrator",
                scope: .session,
                takes: .json(InstitutionEdit.form), .wrapped("institution", .institution), refuses: [.stepUpRequired]
            ) { call in
                Self.answer(
                    try await institutions.edit(
                        call["institution"], to: await InstitutionEdit.form.read(call.json()), by: call.context,
                        in: call.signedIn))
            },
        ]
    }

    private static func answer(_ institution: Institution, _ status: Status = .ok) -> Response {
        .json(status) { $0.object { $0.member("institution") { institution.write(to: &$0) } } }
    }

    private static let role = Parameter.choice("role", of: MemberRole.self, "The role to have.")

    private var membership: [Route] {
        [
            .signedIn(.get, "/v1/memberships", "What I am a member of", scope: .profileRead, .list(of: .membership)) {
                call in
                let memberships = try await own.memberships(of: call.caller)
                return .list(memberships, limit: .max, of: call, cursor: \.institution.text) {
                    $0.write(to: &$1)
                }
            },
            .signedIn(
                .get, "/v1/institutions/{institution}/members", "Its members; for teachers its students",
                scope: .rosterRead,
                reads: .page + [Self.role], .list(of: .member)
            ) { call in
                let found = try await members.list(of: call["institution"], Self.page(call), for: call.context)
                return .list(found, limit: try call.read(Query.limit), of: call, cursor: \.membership.account.text) {
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
                let offer = try await members.offer(
                    await MemberPlace.form.input(call.json()), to: AccountID(call["account"]),
                    in: call["institution"], by: call.context)
                switch offer {
                case .membership(let membership): return Self.answer(membership)
                case .invitation(let invitation):
                    return .json(.accepted) { $0.object { $0.member("invitation") { invitation.write(to: &$0) } } }
                }
            }.proven(by: proofs, where: Self.givesStaffRole),
            .signedIn(
                .put, "/v1/institutions/{institution}/members/{account}/student-number",
                "Give a member a student number, which no other member has; `null` takes it away", scope: .rosterWrite,
                takes: .json(StudentNumber.form), .wrapped("member", .membership)
            ) { call in
                Self.answer(
                    try await members.setStudentNumber(
                        await StudentNumber.form.read(call.json()), of: AccountID(call["account"]),
                        in: call["institution"], by: call.context))
            },
            .signedIn(
                .delete, "/v1/institutions/{institution}/members/{account}",
                "Take back what people gave a member; what a provider's rule grants stays", scope: .rosterWrite,
                answers: 204, refuses: [.invalid]
            ) { call in
                try await members.remove(
                    AccountID(call["account"]), from: call["institution"], by: call.context)
                return Response(.noContent)
            },
        ]
    }

    private static func page(_ call: SignedInCall) throws -> MemberService.Page {
        let limit = try call.read(Query.limit)
        let role = try call.read(Self.role)
        return MemberService.Page(
            role: role, after: try call.read(Query.cursor).map { AccountID($0) }, limit: limit + 1)
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
                let open = try await members.invitations(of: call["institution"], for: call.context)
                return .list(open, limit: .max, of: call, cursor: \.id) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, "/v1/institutions/{institution}/invitations", "Invite somebody by a one-time token",
                scope: .rosterWrite,
                takes: .json(InvitationRequest.form), answers: 201, .wrapped("invitation", .invitation)
            ) { call in
                let (invitation, token) = try await members.invite(
                    await InvitationRequest.form.input(call.json()), to: call["institution"], by: call.context)
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
                try await members.withdraw(
                    call["invitation"], of: call["institution"], by: call.context)
                return Response(.noContent)
            },
        ] + ownInvitations
    }

    private var ownInvitations: [Route] {
        [
            .signedIn(.get, "/v1/invitations", "Invitations made out to me", scope: .session, .list(of: .invitation)) {
                call in
                let offers = try await own.titledInvitations(
                    to: call.signedIn.account, in: tenants, at: call.now)
                return .list(offers, limit: .max, of: call, cursor: \.offer.id) { titled, writer in
                    titled.offer.write(to: &writer, title: titled.title)
                }
            },
            .signedIn(
                .delete, "/v1/invitations/{invitation}", "Decline an invitation made out to me", scope: .session,
                answers: 204
            ) {
                call in
                try await own.decline(
                    call["invitation"], as: call.signedIn.account, by: call.audit())
                return Response(.noContent)
            },
            .signedIn(
                .post, "/v1/invitations/accept",
                "Accept an invitation: by the token of its link, or one made out to me by its identifier",
                scope: .session,
                takes: .json(InvitationAcceptance.form), answers: 201, .wrapped("member", .membership)
            ) { call in
                let membership = try await own.accept(
                    InvitationAcceptance.form.read(call.json()), as: call.signedIn.account, by: call.audit())
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
