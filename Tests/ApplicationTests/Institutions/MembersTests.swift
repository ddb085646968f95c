import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import Institutions
import SQLiteStore
import Shared
import Testing

@Suite struct MembersTests {
    @Test func `a teacher keeps the records of the named programs only`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let (first, second) = (try await harness.program(in: demo), try await harness.program(in: demo, title: "Other"))
        let id = try await harness.account("teacher").account.id
        let membership = try await harness.services.members.set(
            MemberPlace.form.input(["role": "teacher", "programs": [.string(first.id.text)]]), for: id, in: demo.id,
            by: harness.server)
        #expect(membership.keepsRecords(of: first.id))
        #expect(!membership.keepsRecords(of: second.id))
        #expect(try await harness.services.members.memberships(of: id) == [membership])
        #expect(try await harness.services.members.isStaff(id))
    }

    @Test func `another institution's program is refused`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let foreign = try await harness.program(in: try await harness.institution("other"))
        let id = try await harness.account("teacher").account.id
        #expect(
            await faults {
                try await harness.services.members.set(
                    MemberPlace.form.input(["role": "teacher", "programs": [.string(foreign.id.text), 5], "x": 1]),
                    for: id, in: demo.id,
                    by: harness.server)
            } == ["/programs/0 program_unknown", "/programs/1 wrong_type", "/x unknown_field"])
        #expect(try await harness.services.members.memberships(of: id).isEmpty)
    }

    @Test func `a change of role ends no session, and holds a student's to the limits of staff`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let members = harness.services.members
        let admission = try await harness.account("alice")
        let id = admission.account.id
        _ = try await members.set(MemberPlace.form.input(["role": "student"]), for: id, in: demo.id, by: harness.server)
        #expect(try await harness.store.sessions(of: id).map(\.kind) == [.student])
        _ = try await members.set(
            MemberPlace.form.input(["role": "registrar"]), for: id, in: demo.id, by: harness.server)
        #expect(try await harness.isSignedIn(admission))
        let session = try #require(try await harness.store.sessions(of: id).first)
        #expect(session.kind == .staff)
        #expect(session.expiresAt == harness.now.adding(seconds: SessionKind.staff.lifetime))
        try await members.remove(id, from: demo.id, by: harness.server)
        #expect(try await harness.isSignedIn(admission))
        #expect(try await members.memberships(of: id).isEmpty)
        await #expect(throws: StoreError.notFound) { try await members.remove(id, from: demo.id, by: harness.server) }
        harness.pass(seconds: 3_601)
        #expect(try await !harness.isSignedIn(admission))
    }

    @Test func `a role rises by acceptance and falls at once`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let members = harness.services.members
        let (alice, bob) = (try await harness.account("alice").account.id, try await harness.account("bob").account.id)
        guard
            case .invitation(let first) = try await members.offer(
                MemberPlace.form.input(["role": "student"]), to: alice, in: demo.id, by: harness.server),
            case .invitation(let second) = try await members.offer(
                MemberPlace.form.input(["role": "teacher"]), to: alice, in: demo.id, by: harness.server)
        else {
            Issue.record("a role was given without acceptance")
            return
        }
        #expect(try await members.memberships(of: alice).isEmpty)
        #expect(try await members.invitations(to: alice, at: harness.now).map(\.id) == [second.id])
        func accept(_ invitation: Invitation, as account: AccountID) async throws -> MemberRole {
            try await members.accept(
                InvitationAcceptance.form.read(["invitation": .string(invitation.id)]), as: account, by: harness.server
            ).role
        }
        #expect(await faults { _ = try await accept(first, as: alice) } == ["/invitation invitation_refused"])
        #expect(await faults { _ = try await accept(second, as: bob) } == ["/invitation invitation_refused"])
        #expect(try await accept(second, as: alice) == .teacher)
        #expect(
            try await members.offer(
                MemberPlace.form.input(["role": "student"]), to: alice, in: demo.id, by: harness.server)
                == .membership(try #require(try await members.memberships(of: alice).first)))
        await #expect(throws: StoreError.notFound) {
            try await members.offer(
                MemberPlace.form.input(["role": "student"]), to: AccountID("nobody"), in: demo.id, by: harness.server)
        }
    }

    @Test func `a giver limited to one role decides on no other`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let members = harness.services.members
        let id = try await harness.account("alice").account.id
        _ = try await members.set(MemberPlace.form.input(["role": "student"]), for: id, in: demo.id, by: harness.server)
        let made = try await members.invite(
            InvitationRequest.form.input(["role": "student"]), to: demo.id, by: harness.server)
        await #expect(throws: MembershipRefusal.otherRole) {
            try await members.offer(
                MemberPlace.form.input(["role": "student"]), to: id, in: demo.id, only: .registrar, by: harness.server)
        }
        await #expect(throws: MembershipRefusal.otherRole) {
            try await members.remove(id, from: demo.id, only: .registrar, by: harness.server)
        }
        await #expect(throws: MembershipRefusal.otherRole) {
            try await members.withdraw(made.invitation.id, of: demo.id, only: .registrar, by: harness.server)
        }
        let own = AuditContext(by: id, from: "test", at: harness.now)
        await #expect(throws: MembershipRefusal.ownRole) {
            try await members.offer(MemberPlace.form.input(["role": "registrar"]), to: id, in: demo.id, by: own)
        }
    }

    @Test func `nobody becomes a member without an account`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        await #expect(throws: StoreError.notFound) {
            try await harness.services.members.set(
                MemberPlace.form.input(["role": "student"]), for: AccountID("nobody"), in: demo.id, by: harness.server)
        }
    }

    @Test func `members are listed with their names, page by page`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        var ids: [AccountID] = []
        for name in ["a", "b", "c"] {
            ids.append(try await harness.account(name).account.id)
            _ = try await harness.services.members.set(
                MemberPlace.form.input(["role": name == "b" ? "registrar" : "student"]), for: ids[ids.count - 1],
                in: demo.id, by: harness.server)
        }
        let members = harness.services.members
        #expect(try await members.list(of: demo.id).map(\.login) == ["a", "b", "c"])
        #expect(try await members.list(of: demo.id, role: .student).map(\.displayName) == ["a", "c"])
        #expect(try await members.list(of: demo.id, after: ids[0], limit: 1).map(\.login) == ["b"])
    }

    @Test func `an invitation makes one member within seven days`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let members = harness.services.members
        let (alice, bob) = (try await harness.account("alice"), try await harness.account("bob"))
        let made = try await members.invite(
            InvitationRequest.form.input(["role": "registrar"]), to: demo.id, by: harness.server)
        #expect(try await members.invitation(made.token, at: harness.now) == made.invitation)
        let body: JSON = ["token": .string(made.token.text)]
        let accepted = try await members.accept(
            InvitationAcceptance.form.read(body), as: alice.account.id, by: harness.server)
        #expect(accepted.role == .registrar)
        #expect(try await harness.isSignedIn(alice))
        #expect(
            await faults {
                try await members.accept(InvitationAcceptance.form.read(body), as: bob.account.id, by: harness.server)
            }
                == ["/token invitation_refused"])

        let late = try await members.invite(
            InvitationRequest.form.input(["role": "student"]), to: demo.id, by: harness.server)
        harness.pass(seconds: Invitation.lifetime)
        #expect(try await members.invitation(late.token, at: harness.now) == nil)
        #expect(try await members.invitations(of: demo.id, at: harness.now).isEmpty)
        #expect(
            await faults {
                try await members.accept(
                    InvitationAcceptance.form.read(["token": .string(late.token.text)]), as: bob.account.id,
                    by: harness.server)
            } == ["/token invitation_refused"])
    }

    @Test func `the end of a rule's grant ends offers and invitations that rest on it`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let (members, grants) = (harness.services.members, harness.services.grants)
        let (ada, bob) = (try await harness.account("ada").account.id, try await harness.account("bob").account.id)
        func by(_ account: AccountID) -> AuditContext { AuditContext(by: account, from: "test", at: harness.now) }
        func signIn(_ account: AccountID, _ groups: Set<String>) async throws {
            try await grants.heed(
                AssertedClaims(texts: ["groups": groups]), of: account, by: "i", as: harness.server)
        }
        let rules = [("registry", MemberRole.registrar), ("staff", .teacher)].map { value, role in
            GrantRule(claim: "groups", value: value, institution: demo.id, role: role)
        }
        grants.use(["i": rules])
        try await signIn(ada, ["registry"])
        try await signIn(bob, ["staff"])
        let link = try await members.invite(
            InvitationRequest.form.input(["role": "student"]), to: demo.id, by: by(ada))
        _ = try await members.offer(MemberPlace.form.input(["role": "registrar"]), to: bob, in: demo.id, by: by(ada))
        #expect(try await members.invitations(of: demo.id, at: harness.now).count == 2)
        try await signIn(bob, [])
        #expect(try await members.invitations(of: demo.id, at: harness.now) == [link.invitation])
        // Its maker is registrar no longer once the grant has lapsed, noticed or not.
        harness.pass(seconds: MemberRole.registrar.grantLifetime - 1)
        let late = try await members.invite(
            InvitationRequest.form.input(["role": "student"]), to: demo.id, by: by(ada))
        harness.pass(seconds: 2)
        #expect(
            await faults {
                try await members.accept(
                    InvitationAcceptance.form.read(["token": .string(late.token.text)]), as: bob, by: by(bob))
            } == ["/token invitation_refused"])
        try await signIn(ada, [])
        #expect(try await members.invitations(of: demo.id, at: harness.now).isEmpty)
    }

    @Test func `an invitation never takes a role away, and a teacher's programs add up`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let (first, second) = (try await harness.program(in: demo), try await harness.program(in: demo, title: "Other"))
        let members = harness.services.members
        let id = try await harness.account("teacher").account.id
        _ = try await members.set(
            MemberPlace.form.input(["role": "teacher", "programs": [.string(first.id.text)]]), for: id, in: demo.id,
            by: harness.server)
        for body: JSON in [["role": "teacher", "programs": [.string(second.id.text)]], ["role": "student"]] {
            let made = try await members.invite(InvitationRequest.form.input(body), to: demo.id, by: harness.server)
            let accepted = try await members.accept(
                InvitationAcceptance.form.read(["token": .string(made.token.text)]), as: id, by: harness.server)
            #expect(accepted.role == .teacher)
        }
        #expect(try await members.memberships(of: id).first?.programs == [first.id, second.id].sorted())
    }

    @Test func `an invitation taken back is refused, and another institution cannot take it back`() async throws {
        let harness = try InstitutionsHarness()
        let (demo, other) = (try await harness.institution(), try await harness.institution("other"))
        let members = harness.services.members
        let made = try await members.invite(
            InvitationRequest.form.input(["role": "student"]), to: demo.id, by: harness.server)
        await #expect(throws: StoreError.notFound) {
            try await members.withdraw(made.invitation.id, of: other.id, by: harness.server)
        }
        try await members.withdraw(made.invitation.id, of: demo.id, by: harness.server)
        let id = try await harness.account("alice").account.id
        #expect(
            await faults {
                try await members.accept(
                    InvitationAcceptance.form.read(["token": .string(made.token.text)]), as: id, by: harness.server)
            }
                == ["/token invitation_refused"])
    }

    @Test func `a membership ends with its account`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let id = try await harness.account("alice").account.id
        _ = try await harness.services.members.set(
            MemberPlace.form.input(["role": "student"]), for: id, in: demo.id, by: harness.server)
        let act = harness.server
        try await harness.store.delete(id) { _ in act.entry("account.deleted", of: id.text) }
        #expect(try await harness.services.members.list(of: demo.id).isEmpty)
    }

    @Test func `each change raises the access version and leaves a line in the institution's trail`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let id = try await harness.account("alice").account.id
        let before = try await harness.store.places(of: id, at: harness.now).accessVersion
        _ = try await harness.services.members.set(
            MemberPlace.form.input(["role": "student"]), for: id, in: demo.id, by: harness.server)
        #expect(try await harness.store.places(of: id, at: harness.now).accessVersion > before)
        let trail = try await harness.store.auditItems(AuditQuery(trail: .institution(demo.id)))
        #expect(trail.map(\.entry.action) == ["member.added", "institution.created"])
    }
}
