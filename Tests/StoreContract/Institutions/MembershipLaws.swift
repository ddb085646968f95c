import Accounts
import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let memberships: [StoreLaw] = [
        StoreLaw("an account has one place in an institution, and no change of it at once with others is lost") {
            place in
            try await place.make("a")
            try await place.makeInstitution()
            let ends = await atOnce(20) { number in
                _ = try await place.data.institutions.amendMembership(
                    of: AccountID("a"), in: InstitutionID("school")
                ) { before in
                    MembershipChange(
                        membership: Membership(
                            institution: InstitutionID("school"), account: AccountID("a"), role: .teacher,
                            programs: (before?.programs ?? []) + [ProgramID("p\(number)")], since: Sample.now),
                        becomesStaff: false, audit: Sample.entry("member.changed", of: "a", in: "school"))
                }
            }
            try expect(ends.errors, is: [], "the refusals")
            let found = try await place.data.institutions.places(
                of: AccountID("a"), at: Sample.now
            ).memberships
            try expect(found.map(\.programs.count), is: [20], "the programs of each membership")
        },
        StoreLaw("a student number is one member's of an institution, of those who ask at once too") { place in
            let institutions = place.data.institutions
            for id in ["school", "other"] { try await place.makeInstitution(id) }
            for id in ["a", "b"] {
                try await place.make(id)
                try await place.set(Sample.membership(of: id, in: "school", as: .student), of: id)
            }
            @Sendable func number(_ number: String?, of account: String, in school: String = "school") async throws {
                _ = try await institutions.setStudentNumber(
                    number, of: AccountID(account), in: InstitutionID(school), by: Sample.act(by: "r"))
            }
            func numbers(of account: String) async throws -> [String?] {
                try await institutions.places(of: AccountID(account), at: Sample.now).memberships.map(\.studentNumber)
            }
            try await expect(.notFound, "of one who is no member") { try await number("1", of: "a", in: "other") }
            let ends = await atOnce(2) { try await number("1", of: $0 == 0 ? "a" : "b") }
            try expect(ends.made, is: 1, "how many got it")
            try expect(ends.errors, is: [.taken(field: "studentNumber")], "what the other is told")
            try await number(nil, of: "a")
            try await number(nil, of: "b")
            try await number("1", of: "a")
            try await number("1", of: "a")
            try expect(try await numbers(of: "a"), is: ["1"], "the number of one")
            try expect(try await numbers(of: "b"), is: [nil], "the number of the other")
            for form in ["1", "\u{FF11}", "1\u{332}"] {
                let holders = try await institutions.members(numbered: form, in: InstitutionID("school"))
                try expect(holders, is: [AccountID("a")], "whose it is")
                try await expect(.taken(field: "studentNumber"), "the same in another form") {
                    try await number(form, of: "b")
                }
            }
            try expect(
                try await institutions.members(numbered: "1", in: InstitutionID("other")), is: [], "whose elsewhere")
            let listed = try await institutions.members(
                of: InstitutionID("school"), role: nil, after: nil, limit: 9, at: Sample.now)
            try expect(listed.map(\.membership.studentNumber), is: ["1", nil], "the numbers that are listed")
            let ids = ["a", "b", "absent"].map { AccountID($0) }
            for (school, own) in [("school", "1"), ("other", nil)] {
                let names = try await institutions.students(ids, in: InstitutionID(school))
                try expect(Set(names.keys), is: Set(ids.prefix(2)), "whose names are known")
                let numbers = ids.prefix(2).map { names[$0]?.studentNumber }
                try expect(numbers, is: [own, nil], "the numbers beside the names")
            }
            let named = try await institutions.students([AccountID("a")], in: InstitutionID("school"))
            let account = try await place.data.accounts.account(AccountID("a"))
            try expect(named[AccountID("a")]?.login, is: account?.login.text, "the login")
            try expect(named[AccountID("a")]?.displayName, is: account?.profile.displayName, "the display name")
            let name = PersonName(given: "Ada", family: "Lovelace")
            try await place.call("a", name)
            let called = try await institutions.students(ids, in: InstitutionID("school"))
            let personNames = ids.map { called[$0]?.personName }
            try expect(personNames, is: [name, PersonName.none, nil], "the first and last names")
        },
        StoreLaw("a student number goes with the membership, whoever gave that, and with the account") { place in
            let institutions = place.data.institutions
            try await place.makeInstitution()
            for id in ["a", "b", "c"] { try await place.make(id) }
            func number(_ account: String) async throws {
                _ = try await institutions.setStudentNumber(
                    "1", of: AccountID(account), in: InstitutionID("school"), by: Sample.act(by: "r"))
            }
            func holder() async throws -> AccountID? {
                let holders = try await institutions.members(numbered: "1", in: InstitutionID("school"))
                return holders.first
            }
            try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            try await place.grant(.student, to: "a")
            try await number("a")
            try await place.grant(nil, to: "a")
            try expect(try await holder(), is: AccountID("a"), "whose it is while one of two grants holds")
            _ = try await institutions.amendMembership(of: AccountID("a"), in: InstitutionID("school")) { _ in
                MembershipChange(
                    membership: nil, becomesStaff: false, audit: Sample.entry("member.removed", of: "a", in: "school"))
            }
            try expect(try await holder(), is: nil, "whose it is after the last one")
            try await place.grant(.student, to: "b")
            try await number("b")
            try await place.grant(nil, to: "b")
            try expect(try await holder(), is: nil, "whose it is once a rule grants no more")
            try await place.set(Sample.membership(of: "c", in: "school", as: .student), of: "c")
            try await number("c")
            try await place.data.accounts.delete(AccountID("c")) { _ in Sample.entry("account.deleted", of: "c") }
            try expect(try await holder(), is: nil, "whose it is after the account")
        },
        StoreLaw("an account that is not there is no member") { place in
            try await place.makeInstitution()
            try await expect(.notFound, "a membership") {
                try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            }
        },
        StoreLaw("members are listed by role in the order of their accounts") { place in
            try await place.makeInstitution()
            for id in ["a", "b", "c"] {
                try await place.make(id)
                try await place.set(
                    Sample.membership(of: id, in: "school", as: id == "b" ? .teacher : .student), of: id)
            }
            func ids(_ role: MemberRole?, after: String? = nil) async throws -> [String] {
                try await place.data.institutions.members(
                    of: InstitutionID("school"), role: role, after: after.map { AccountID($0) }, limit: 2,
                    at: Sample.now
                ).map(\.membership.account.text)
            }
            try expect(try await ids(nil), is: ["a", "b"], "all")
            try expect(try await ids(nil, after: "b"), is: ["c"], "all, the next page")
            try expect(try await ids(.student), is: ["a", "c"], "the students")
        },
        StoreLaw("whoever becomes staff keeps the sessions there are, under the limits of staff") { place in
            try await place.make("a")
            try await place.makeInstitution()
            try await place.open(Sample.session("s", of: "a", at: Sample.now.adding(seconds: -100)))
            try await place.set(
                Sample.membership(of: "a", in: "school", as: .teacher), of: "a", becomesStaff: true)
            let session = try await place.data.accounts.sessions(of: AccountID("a")).first
            try expect(session?.kind, is: .staff, "the kind")
            try expect(session?.lastSeenAt, is: Sample.now, "the last request")
            try expect(
                session?.expiresAt, is: Sample.now.adding(seconds: SessionKind.staff.lifetime), "the end")
        },
        StoreLaw("no write is made under a permit that was taken away before") { place in
            try await place.make("teacher")
            try await place.makeInstitution()
            let member = Sample.membership(of: "teacher", in: "school", as: .teacher, programs: ["program"])
            for round in 1...30 {
                let id = "r\(round)"
                try await place.store.create(id)
                try await place.set(member, of: "teacher")
                let permit = place.store.context(
                    by: Sample.teacher, access: try await place.store.access(of: Sample.teacher))
                async let written = place.store.amend(RecordID(id), by: permit) { _ in Sample.amendment("b") }
                try await place.set(nil, of: "teacher")
                let after = try await place.store.found(id).fullVersion
                do {
                    _ = try await written
                } catch StoreError.moved {}
                try expect(try await place.store.found(id).fullVersion, is: after, "the version in round \(round)")
                try await expect(.moved, "a write that begins later") {
                    _ = try await place.store.amend(RecordID(id), by: permit) { _ in Sample.amendment("c") }
                }
            }
        },
    ]

    static let invitations: [StoreLaw] = [
        StoreLaw("an invitation is accepted once, before its end, however many accept it at once") { place in
            let institutions = place.data.institutions
            try await place.makeInstitution()
            for number in 0..<5 { try await place.make("a\(number)") }
            try await institutions.insert(
                Sample.invitation("i", to: "school"), token: Sample.token("t"),
                audit: Sample.entry("invitation.created", of: "i", in: "school"))
            @Sendable func accept(_ account: String, at moment: Timestamp = Sample.now) async throws {
                _ = try await institutions.redeemInvitation(
                    .token(Sample.token("t")), at: moment, for: AccountID(account)
                ) { invitation, _ in
                    MembershipChange(
                        membership: Sample.membership(of: account, in: "school", as: invitation.role),
                        becomesStaff: true, audit: Sample.entry("member.added", of: account, in: "school"))
                }
            }
            try await expect(.notFound, "one that has expired") {
                try await accept("a0", at: Sample.now.adding(seconds: 600))
            }
            let ends = await atOnce(5) { try await accept("a\($0)") }
            try expect(ends.made, is: 1, "how often it was accepted")
            try expect(ends.errors.allSatisfy { $0 == .notFound }, "the refusals")
            try expect(try await institutions.invitation(Sample.token("t")), is: nil, "the invitation")
            let members = try await institutions.members(
                of: InstitutionID("school"), role: nil, after: nil, limit: 9, at: Sample.now)
            try expect(members.count, is: 1, "the members")
        },
        StoreLaw("an account has one offer of an institution, which its end takes with it") { place in
            let institutions = place.data.institutions
            try await place.makeInstitution()
            try await place.make("a")
            func offer(_ id: String, to account: String = "a") async throws {
                try await institutions.insert(
                    Sample.invitation(id, to: "school", for: account), token: Sample.token(id),
                    audit: Sample.entry("invitation.created", of: id, in: "school"))
            }
            func offers() async throws -> [String] {
                try await institutions.invitations(to: AccountID("a")).map(\.id)
            }
            try await expect(.notFound, "an account that is not there") { try await offer("0", to: "b") }
            try await offer("1")
            try await offer("2")
            try expect(try await offers(), is: ["2"], "the offers")
            try await place.set(Sample.membership(of: "a", in: "school", as: .student), of: "a")
            try expect(try await offers(), is: ["2"], "the offers of a member")
            try await place.set(nil, of: "a")
            try expect(try await offers(), is: [], "the offers after the end of the membership")
        },
        StoreLaw("an invitation is declined by its account, and taken back by its institution, once") { place in
            let institutions = place.data.institutions
            for id in ["a", "b"] { try await place.make(id) }
            try await place.makeInstitution()
            try await institutions.insert(
                Sample.invitation("1", to: "school", for: "a"), token: Sample.token("1"),
                audit: Sample.entry("x", of: "1", in: "school"))
            try await institutions.insert(
                Sample.invitation("2", to: "school"), token: Sample.token("2"),
                audit: Sample.entry("x", of: "2", in: "school"))
            func decline(as account: String) async throws {
                try await institutions.decline("1", by: AccountID(account)) { _ in
                    Sample.entry("x", of: "1", in: "school")
                }
            }
            try await expect(.notFound, "another account") { try await decline(as: "b") }
            try await decline(as: "a")
            try await expect(.notFound, "a second time") { try await decline(as: "a") }
            func withdraw(from institution: String) async throws {
                try await institutions.removeInvitation(
                    "2", of: InstitutionID(institution), audit: Sample.entry("x", of: "2", in: "school"),
                    under: [])
            }
            try await expect(.notFound, "another institution") { try await withdraw(from: "other") }
            try await withdraw(from: "school")
            try await expect(.notFound, "a second time") { try await withdraw(from: "school") }
            try expect(
                try await institutions.invitations(of: InstitutionID("school")), is: [], "the invitations left")
        },
        StoreLaw("an invitation is made out to the one who comes with its link, and its link goes on holding") {
            place in
            let institutions = place.data.institutions
            for id in ["a", "b", "r"] { try await place.make(id) }
            try await place.makeInstitution()
            try await institutions.insert(
                Sample.invitation("1", to: "school"), token: Sample.token("1"),
                audit: Sample.entry("x", of: "1", in: "school"))
            func makeOut(_ token: String = "1", to account: String, after seconds: Int64 = 0) async throws {
                try await institutions.makeOutInvitation(
                    Sample.token(token), to: AccountID(account), at: Sample.now.adding(seconds: seconds))
            }
            func offers(to account: String) async throws -> [String] {
                try await institutions.invitations(to: AccountID(account)).map(\.id)
            }
            try await makeOut("2", to: "a")
            try await makeOut(to: "nobody")
            try await makeOut(to: "a", after: Invitation.lifetime + 1)
            try expect(try await offers(to: "a"), is: [], "what was offered by then")
            try await makeOut(to: "a")
            try await makeOut(to: "b")
            try expect(try await offers(to: "a"), is: ["1"], "what is offered")
            try expect(try await offers(to: "b"), is: [], "what is offered to another")
            try expect(
                try await institutions.invitation(Sample.token("1"))?.account, is: AccountID("a"), "its link")
        },
    ]
}
