import Accounts
import Application
import Forms
import GradingKit
import Institutions
import SQLiteStore
import Shared
import Testing

@Suite struct GrantsTests {
    private let harness: InstitutionsHarness
    private let school: Institution
    private let ada: AccountID

    init() async throws {
        harness = try InstitutionsHarness()
        school = try await harness.institution("school")
        ada = try await harness.account("ada").account.id
    }

    private var grants: Grants { harness.services.grants }

    private func rule(_ value: String, _ role: MemberRole, programs: [ProgramID] = []) -> GrantRule {
        GrantRule(claim: "groups", value: value, institution: school.id, role: role, programs: programs)
    }

    private func signIn(_ groups: Set<String>?, elsewhere: Set<String> = [], issuer: String = "i") async throws {
        let claims = AssertedClaims(texts: groups.map { ["groups": $0] } ?? [:], elsewhere: elsewhere)
        try await grants.heed(claims, of: ada, by: issuer, as: harness.server)
    }

    private func roles() async throws -> [MemberRole] {
        try await harness.services.members.memberships(of: ada).map(\.role)
    }

    /// What the trail says of memberships, newest first.
    private func trail() async throws -> [String] {
        try await harness.store.auditItems(AuditQuery(subject: ada.text)).map(\.entry.action).filter {
            $0.hasPrefix("member.")
        }
    }

    @Test func `a claim that is met grants, and one that is not takes back`() async throws {
        grants.use(["i": [rule("staff", .teacher), rule("all", .student)]])
        try await signIn(["others"])
        #expect(try await roles().isEmpty)
        try await signIn(["staff", "all"])
        #expect(try await roles() == [.teacher])
        try await signIn(["all"])
        #expect(try await roles() == [.student])
        try await signIn(nil)
        #expect(try await roles().isEmpty)
        #expect(
            try await trail() == [
                "member.revoked", "member.revoked", "member.granted", "member.granted",
            ])
    }

    @Test func `texts are compared exactly, and each issuer has rules of its own`() async throws {
        grants.use(["i": [rule("staff", .teacher)]])
        for other in ["Staff", "staff ", "staf", ""] { try await signIn([other]) }
        grants.use(["i": [rule("\u{E9}quipe", .teacher)]])
        try await signIn(["e\u{301}quipe"])
        #expect(try await roles().isEmpty)
        grants.use(["i": [rule("staff", .teacher)]])
        try await signIn(["staff"], issuer: "j")
        #expect(try await roles().isEmpty)
        try await signIn(["staff"])
        try await signIn(nil, issuer: "j")
        #expect(try await roles() == [.teacher])
    }

    @Test func `a pointer in place of the claim changes nothing, and renews nothing`() async throws {
        grants.use(["i": [rule("staff", .teacher)]])
        try await signIn(["staff"])
        harness.pass(seconds: 86_400)
        try await signIn(nil, elsewhere: ["groups"])
        #expect(try await roles() == [.teacher])
        harness.pass(seconds: 6 * 86_400)
        #expect(try await roles().isEmpty)
    }

    @Test(arguments: MemberRole.allCases)
    func `a grant lapses unless it is renewed`(role: MemberRole) async throws {
        let days: Int64 = role == .student ? 400 : 7
        grants.use(["i": [rule("staff", role)]])
        try await signIn(["staff"])
        harness.pass(seconds: days * 86_400 - 1)
        #expect(try await roles() == [role])
        #expect(try await grants.lapse() == harness.now.adding(seconds: 1))
        try await signIn(["staff"])
        harness.pass(seconds: days * 86_400 - 1)
        #expect(try await roles() == [role])
        harness.pass(seconds: 1)
        // From the moment on, whether or not anyone has looked.
        #expect(try await roles().isEmpty)
        #expect(try await grants.lapse() == nil)
        #expect(try await trail() == ["member.lapsed", "member.granted"])
    }

    @Test func `the membership is the highest of its grants, and a teacher's programs add up`() async throws {
        let (one, two) = (try await harness.program(in: school), try await harness.program(in: school, title: "two"))
        grants.use(["i": [rule("staff", .teacher, programs: [one.id])]])
        _ = try await harness.services.members.set(
            MemberPlace.form.input(["role": "teacher", "programs": [.string(two.id.text)]]), for: ada, in: school.id,
            by: harness.server)
        try await signIn(["staff"])
        let both = try #require(try await harness.services.members.memberships(of: ada).first)
        #expect(both.programs == [one.id, two.id].sorted() && both.given?.programs == [two.id])
        _ = try await harness.services.members.set(
            MemberPlace.form.input(["role": "registrar"]), for: ada, in: school.id, by: harness.server)
        #expect(try await roles() == [.registrar])
        try await harness.services.members.remove(ada, from: school.id, by: harness.server)
        #expect(try await roles() == [.teacher])
        #expect(
            await faults { try await harness.services.members.remove(ada, from: school.id, by: harness.server) }
                == [" membership_by_rule"])
        #expect(try await roles() == [.teacher])
    }

    @Test func `whoever is made staff by a rule has what people gave in other institutions`() async throws {
        let other = try await harness.institution("other")
        _ = try await harness.services.members.set(
            MemberPlace.form.input(["role": "student"]), for: ada, in: other.id, by: harness.server)
        grants.use(["i": [rule("staff", .teacher)]])
        try await signIn(["staff"])
        #expect(try await roles().sorted() == [.student, .teacher])
        try await signIn([])
        #expect(try await roles() == [.student])
    }

    @Test func `rules that are gone, and the end of a link, take back what was granted`() async throws {
        grants.use(["i": [rule("staff", .teacher)]])
        try await signIn(["staff"])
        grants.use([:])
        try await signIn(["staff"])
        #expect(try await roles().isEmpty)
        grants.use(["i": [rule("staff", .teacher)]])
        try await signIn(["staff"])
        let act = harness.server
        try await harness.store.changeGrants(of: ada) { GrantPlans.revocation(of: $0, by: "j", as: act) }
        #expect(try await roles() == [.teacher])
        try await harness.store.changeGrants(of: ada) { GrantPlans.revocation(of: $0, by: "i", as: act) }
        #expect(try await roles().isEmpty)
    }

    @Test func `the trail names the rule`() async throws {
        grants.use(["i": [rule("staff", .teacher)]])
        try await signIn(["staff"])
        let line = try #require(try await harness.store.auditItems(AuditQuery(subject: ada.text)).first).entry
        let detail = try JSON.parse(try #require(line.detail))
        #expect(detail["rule"] == ["issuer": "i", "claim": "groups", "equals": "staff"])
        #expect(detail["after"]?["role"] == "teacher" && detail["before"] == .null)
        #expect(line.institution == school.id)
    }
}
