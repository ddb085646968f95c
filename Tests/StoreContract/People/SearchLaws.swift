import Accounts
import Classes
import DataStore
import Gradebook
import GradingKit
import Institutions
import People
import Records
import Shared

extension StoreUnderTest {
    fileprivate func hits(
        _ kind: SearchKind, _ text: String, in audiences: [SearchAudience], viewer: String? = nil,
        after: SearchCursor? = nil, limit: Int = 9
    ) async throws -> SearchHits {
        let question = SearchQuestion(
            kind, for: SearchText.asked(text), in: audiences, viewer: viewer.map { AccountID($0) }, after: after,
            limit: limit)
        guard let hits = try await data.people.search([question]).first else {
            throw Violation(description: "a question without an answer")
        }
        return hits
    }

    fileprivate func found(
        _ kind: SearchKind, _ text: String, in audience: SearchAudience, viewer: String? = nil
    ) async throws -> [String] {
        try await hits(kind, text, in: [audience], viewer: viewer).hits.map(\.id)
    }

    fileprivate func change(_ id: String, _ change: @escaping @Sendable (inout Account) -> Void) async throws {
        _ = try await data.accounts.amend(AccountID(id)) { situation in
            var account = situation.account
            change(&account)
            return AccountChange(
                account: account, endsSessions: false, audit: Sample.entry("profile.changed", of: id))
        }
    }

    fileprivate func named(_ id: String, _ name: String, isFound: Bool = true) async throws {
        try await make(id)
        try await change(id) {
            $0.profile.displayName = name
            $0.profile.isDiscoverable = isFound
        }
    }
}

private let school = InstitutionID("school")
private let program = ProgramID("program")

extension StoreLaw {
    static let search: [StoreLaw] = [
        StoreLaw("a person is found by words, beginnings and characters, while he or she wishes it") { place in
            try await place.named("a", "Élodie Génie")
            try await place.named("b", "高等 数学")
            try await place.named("c", "Élodie Hidden", isFound: false)
            let expected = [
                ("genie", ["a"]), ("gén elo", ["a"]), ("enie", []), ("数", ["b"]), ("数学", ["b"]), ("学数", []),
            ]
            for (text, ids) in expected {
                try expect(try await place.found(.person, text, in: .signedIn), is: ids, text)
            }
            try expect(try await place.found(.person, "genie", in: .everyone), is: [], "by guests")
            try expect(try await place.found(.student, "genie", in: .signedIn), is: [], "as another kind")
            try await place.change("a") { $0.profile.displayName = "Ada" }
            try expect(try await place.found(.person, "genie", in: .signedIn), is: [], "by the earlier name")
            try expect(try await place.found(.person, "ada", in: .signedIn), is: ["a"], "by the new name")
            try await place.call("a", PersonName(given: "Augusta", family: "King"))
            try expect(try await place.found(.person, "king", in: .signedIn), is: [], "by a name that only staff know")
            try await place.change("a") { $0.profile.isDiscoverable = false }
            try expect(try await place.found(.person, "ada", in: .signedIn), is: [], "once withdrawn")
            try await place.change("b") { $0.isDisabled = true }
            try expect(try await place.found(.person, "数", in: .signedIn), is: [], "once disabled")
            try await place.change("b") { $0.isDisabled = false }
            try await place.data.accounts.delete(AccountID("b")) { _ in Sample.entry("account.deleted", of: "b") }
            try expect(try await place.found(.person, "数", in: .signedIn), is: [], "once deleted")
            try expect(try await place.faults(), is: [], "the faults")
        },
        StoreLaw("results come by whole word, beginning and title, and pages neither repeat nor miss one") { place in
            let names = ["Annabel", "Ann Zed", "Ann Anders", "Bea Annan", "Anna Ann"]
            for (number, name) in names.enumerated() { try await place.named("p\(number)", name) }
            let all = ["p2", "p1", "p4", "p0", "p3"]
            try expect(try await place.found(.person, "ann", in: .signedIn), is: all, "the order")
            var (paged, cursor) = ([String](), SearchCursor?.none)
            repeat {
                let page = try await place.hits(.person, "ann", in: [.signedIn], after: cursor, limit: 2)
                paged += page.hits.map(\.id)
                cursor = page.next
            } while cursor != nil
            try expect(paged, is: all, "by pages")
        },
        StoreLaw("a search among thousands that match ends within its bound, and goes on to the last one") { place in
            for number in 0..<700 { try await place.named("p\(number)", "Common Name \(number)") }
            try await place.named("rare", "Zoe Common Name")
            try expect(
                try await place.found(.person, "common name zoe", in: .signedIn), is: ["rare"], "the rare one")
            let strangers = (1..<SearchQuestion.mostAudiences).map { SearchAudience.account(AccountID("x\($0)")) }
            for audiences in [[.signedIn], [.signedIn] + strangers] {
                for (text, expected) in [("comm nam", 701), ("name common 69", 11), ("common zoe x", 0)] {
                    var (ids, cursor) = (Set<String>(), SearchCursor?.none)
                    repeat {
                        let page = try await place.hits(.person, text, in: audiences, after: cursor, limit: 50)
                        for hit in page.hits where !ids.insert(hit.id).inserted {
                            throw Violation(description: "\(hit.id) comes twice")
                        }
                        cursor = page.next
                    } while cursor != nil
                    try expect(ids.count, is: expected, "all that \(text) finds")
                }
            }
        },
        StoreLaw("neither side of a block finds the other, and a page of the others is full") { place in
            for id in ["a", "b", "c", "d"] { try await place.named(id, "Same \(id)") }
            let act = Sample.act(by: "b")
            try await place.data.people.changeRelation(of: AccountID("b"), to: AccountID("a"), at: Sample.now) {
                try FriendPlans.blocking($0, isVisible: true, by: act)
            }
            for (viewer, ids) in [("a", ["a", "c"]), ("b", ["b", "c"]), ("c", ["a", "b"])] {
                let page = try await place.hits(.person, "same", in: [.signedIn], viewer: viewer, limit: 2)
                try expect(page.hits.map(\.id), is: ids, "what \(viewer) finds")
            }
        },
        StoreLaw("registrars find the students of their institution, and teachers those with records in the program") {
            place in
            try await place.makeInstitution()
            try await place.makeProgram()
            try await place.named("student", "Ada Byron", isFound: false)
            let (registrars, staff) = (SearchAudience.registrars(of: school), SearchAudience.staff(of: program))
            try expect(try await place.found(.student, "ada", in: registrars), is: [], "before")
            try await place.set(Sample.membership(of: "student", in: "school", as: .student), of: "student")
            _ = try await place.data.institutions.setStudentNumber(
                "K-77", of: AccountID("student"), in: school, by: Sample.act())
            for text in ["byr", "student", "k 77"] {
                try expect(try await place.found(.student, text, in: registrars), is: ["student"], text)
            }
            try await place.call("student", PersonName(given: "Augusta", family: "King"))
            for (audience, ids) in [(registrars, ["student"]), (.signedIn, [])] {
                for text in ["king", "augusta byron"] {
                    try expect(try await place.found(.student, text, in: audience), is: ids, text)
                    try expect(try await place.found(.person, text, in: audience), is: [], text)
                }
            }
            try expect(try await place.found(.student, "ada", in: staff), is: [], "without a record")
            for id in ["r", "s"] { try await place.store.create(id) }
            try expect(try await place.found(.student, "77", in: staff), is: ["student"], "with records")
            let both = try await place.hits(.student, "ada 77", in: [registrars, staff])
            try expect(both.hits.map(\.id), is: ["student"], "once in two audiences")
            for id in ["r", "s"] {
                let access = try await place.store.access()
                try await place.store.delete(RecordID(id), by: place.store.context(access: access))
                try expect(
                    try await place.found(.student, "ada", in: staff), is: id == "r" ? ["student"] : [], "without \(id)"
                )
            }
            try await place.set(nil, of: "student")
            try expect(try await place.found(.student, "ada", in: registrars), is: [], "after the membership")
            try expect(try await place.faults(), is: [], "the faults")
        },
        StoreLaw("a program is found by staff until it is published, then by members, or by everyone where it is open")
        {
            place in
            try await place.makeInstitution()
            try await place.makeProgram()
            func finders() async throws -> [String] {
                var found: [String] = []
                let audiences: [SearchAudience] = [
                    .everyone, .members(of: school), .registrars(of: school), .staff(of: program),
                ]
                for audience in audiences where try await place.found(.program, "progr", in: audience) == ["program"] {
                    found.append(audience.text)
                }
                return found
            }
            try expect(
                try await finders(), is: ["institution/school/staff", "program/program/staff"], "as a draft")
            try await place.publish(Sample.version(1))
            try expect(try await finders(), is: ["institution/school"], "published")
            try expect(try await place.found(.institution, "school", in: .everyone), is: [], "the closed institution")
            _ = try await place.data.institutions.amend(school) { before in
                var after = before
                after.isOpen = true
                after.title = "Open School"
                return InstitutionChange(
                    institution: after, audit: Sample.entry("institution.changed", of: "school", in: "school"))
            }
            try expect(try await finders(), is: ["public", "institution/school"], "in an open institution")
            try expect(try await place.found(.institution, "open", in: .everyone), is: ["school"], "the institution")
            try expect(try await place.faults(), is: [], "the faults")
        },
        StoreLaw("what a person works on comes by its last change, which nothing hidden is") { place in
            try await place.makeInstitution()
            try await place.makeProgram()
            for (number, id) in ["r", "s"].enumerated() {
                try await place.store.create(id)
                try await place.store.put(
                    "1", in: id, at: Sample.now.adding(seconds: Int64(10 + number)))
            }
            try await place.store.put("2", released: "1", in: "r", at: Sample.now.adding(seconds: 99))
            func work(limit: Int = 9) async throws -> [WorkRow] {
                try await place.data.people.work(
                    of: Sample.student, registrarOf: [school], teaching: [], limit: limit)
            }
            try expect(
                try await work(),
                is: [
                    WorkRow(.record(RecordID("s")), changedAt: Sample.now.adding(seconds: 11)),
                    WorkRow(.record(RecordID("r")), changedAt: Sample.now.adding(seconds: 10)),
                    WorkRow(.program(program), changedAt: Sample.now),
                ], "the work")
            try expect(try await work(limit: 1).count, is: 1, "the first of it")
        },
    ]
}
