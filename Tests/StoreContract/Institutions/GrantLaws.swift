import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let grants: [StoreLaw] = [
        StoreLaw("what people give and what rules grant stand beside each other, and neither changes the other") {
            place in
            try await place.make("a")
            try await place.makeInstitution()
            for program in ["p", "q"] { try await place.makeProgram(program) }
            try await place.set(Sample.membership(of: "a", in: "school", as: .teacher, programs: ["p"]), of: "a")
            try await place.grant(.teacher, programs: ["q"], to: "a")
            let both = try await place.membership(of: "a")
            try expect(both?.programs, is: [ProgramID("p"), ProgramID("q")], "the programs of both")
            try expect(both?.grants.count, is: 2, "what it rests on")
            try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            try expect(try await place.membership(of: "a")?.programs, is: [ProgramID("q")], "the rule's programs")
            try await place.set(nil, of: "a")
            try expect(try await place.membership(of: "a")?.given, is: nil, "what people give")
            try expect(try await place.membership(of: "a")?.role, is: .teacher, "the rule's role")
            try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            try await place.grant(nil, to: "a")
            try expect(try await place.membership(of: "a")?.role, is: .student, "what people gave")
        },
        StoreLaw("a grant gives nothing from its end on, to whatever looks at it") { place in
            try await place.make("a")
            try await place.makeInstitution()
            try await place.grant(.teacher, to: "a")
            let institutions = place.data.institutions
            let end = Sample.now.adding(seconds: MemberRole.teacher.grantLifetime)
            for (moment, isMember) in [(end.adding(seconds: -1), true), (end, false)] {
                let words = "\(isMember ? "before" : "at") the end"
                try expect(
                    try await institutions.places(of: AccountID("a"), at: moment).memberships.count,
                    is: isMember ? 1 : 0, "the places \(words)")
                try expect(
                    try await institutions.members(
                        of: InstitutionID("school"), role: .teacher, after: nil, limit: 9, at: moment
                    ).count, is: isMember ? 1 : 0, "the members \(words)")
                try expect(
                    try await institutions.institutions(
                        .visible(to: AccountID("a"), at: moment), after: nil, limit: 9
                    ).count, is: isMember ? 1 : 0, "the institutions \(words)")
            }
            try expect(try await institutions.lapses(limit: 9).map(\.until), is: [end], "what lapses next")
            try await place.open(Sample.session("s", of: "a", at: end.adding(seconds: -1)))
            try await place.open(Sample.session("t", of: "a", at: end))
            let kinds = try await place.data.accounts.sessions(of: AccountID("a")).map(\.kind)
            try expect(kinds, is: [.student, .staff], "the sessions after and before the end")
        },
        StoreLaw("members by rules are listed among the others, by the highest role") { place in
            try await place.makeInstitution()
            for id in ["a", "b", "c", "d"] { try await place.make(id) }
            for id in ["a", "b", "d"] {
                try await place.set(Sample.membership(of: id, in: "school", as: .student), of: id)
            }
            for id in ["b", "c"] { try await place.grant(.teacher, to: id) }
            func ids(_ role: MemberRole?, after: String? = nil) async throws -> [String] {
                try await place.data.institutions.members(
                    of: InstitutionID("school"), role: role, after: after.map { AccountID($0) }, limit: 2,
                    at: Sample.now
                ).map(\.membership.account.text)
            }
            try expect(try await ids(nil), is: ["a", "b"], "all")
            try expect(try await ids(nil, after: "b"), is: ["c", "d"], "all, the next page")
            try expect(try await ids(.student), is: ["a", "d"], "the students")
            try expect(try await ids(.teacher), is: ["b", "c"], "the teachers")
        },
        StoreLaw("no write is made under a permit that rested on a grant which was taken back") { place in
            try await place.make("teacher")
            try await place.makeInstitution()
            try await place.grant(.teacher, programs: ["program"], to: "teacher")
            try await place.store.create("r")
            let permit = place.store.context(
                by: Sample.teacher, access: try await place.store.access(of: Sample.teacher))
            try await place.grant(.teacher, programs: ["program"], to: "teacher", at: 60)
            _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("b") }
            try await place.grant(nil, to: "teacher", at: 120)
            try await expect(.moved, "a write that begins later") {
                _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("c") }
            }
        },
    ]
}

extension StoreUnderTest {
    /// What a rule of the issuer `i` makes of an account in `school`; `nil` takes it back.
    func grant(
        _ role: MemberRole?, programs: [String] = [], to account: String, at seconds: Int64 = 0
    ) async throws {
        let rule = role.map { role in
            GrantRule(
                claim: "groups", value: "staff", institution: InstitutionID("school"), role: role,
                programs: programs.map { ProgramID($0) })
        }
        let act = AuditContext(by: nil, from: "test", at: Sample.now.adding(seconds: seconds))
        try await data.institutions.changeGrants(of: AccountID(account)) { rows in
            GrantPlans.renewal(
                of: rows, by: rule.map { [$0] } ?? [], of: "i", for: AssertedClaims(texts: ["groups": ["staff"]]),
                as: act)
        }
    }

    fileprivate func membership(of account: String) async throws -> Membership? {
        try await data.institutions.places(of: AccountID(account), at: Sample.now).memberships.first
    }
}
