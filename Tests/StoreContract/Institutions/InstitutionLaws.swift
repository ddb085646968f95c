import DataStore
import Institutions
import Records
import Shared

extension StoreLaw {
    static let institutions: [StoreLaw] = [
        StoreLaw("a slug is one institution's, however many ask for it at once") { place in
            let institutions = place.data.institutions
            let ends = await atOnce(10) { number in
                try await institutions.insert(
                    Sample.institution("i\(number)", slug: "demo"), audit: Sample.entry("x", of: "i"), keeping: nil)
            }
            try expect(ends.made, is: 1, "the institutions made")
            try expect(ends.errors.allSatisfy { $0 == .taken(field: "slug") }, "the refusals name the slug")
            try await place.makeInstitution("other")
            try await expect(.taken(field: "slug"), "a change to a slug that is taken") {
                try await institutions.amend(InstitutionID("other")) { before in
                    var after = before
                    after.slug = Slug(stored: "demo")
                    return InstitutionChange(institution: after, audit: Sample.entry("x", of: "other"))
                }
            }
            try expect(try await institutions.institution(slug: Slug(stored: "other")) != nil, "the other one is there")
            _ = try await institutions.amend(InstitutionID("other")) { before in
                var after = before
                after.slug = Slug(stored: "new")
                return InstitutionChange(institution: after, audit: Sample.entry("x", of: "other"))
            }
            for slug in ["other", "new"] {
                let found = try await institutions.institution(slug: Slug(stored: slug))
                try expect(found?.slug, is: Slug(stored: "new"), "the institution that has or had \(slug)")
                try expect(
                    try place.factory.institution(named: slug)?.slug, is: "new", "the same beside the server")
            }
        },
        StoreLaw("what is made under a key that has an answer is not made") { place in
            let institutions = place.data.institutions
            try await institutions.insert(
                Sample.institution("a"), audit: Sample.entry("x", of: "a"), keeping: Sample.kept("k"))
            try await expect(.taken(field: "key"), "another one under the key") {
                try await institutions.insert(
                    Sample.institution("b"), audit: Sample.entry("x", of: "b"), keeping: Sample.kept("k"))
            }
            try await expect(.idempotencyMismatch, "another request under the key") {
                try await institutions.insert(
                    Sample.institution("b"), audit: Sample.entry("x", of: "b"), keeping: Sample.kept("k", body: 2))
            }
            try expect(try await institutions.institution(InstitutionID("b")), is: nil, "the second institution")
            let kept = try await place.data.answers.answer(
                under: Sample.kept("k").key, of: AccountID("a"), at: Sample.now)
            try expect(kept, is: Sample.kept("k"), "the answer")
        },
        StoreLaw("institutions are listed by who asks: all, the open ones, and those of a member") { place in
            try await place.make("a")
            for id in ["i1", "i2", "i3"] { try await place.makeInstitution(id, isOpen: id == "i2") }
            try await place.set(Sample.membership(of: "a", in: "i3", as: .student), of: "a", in: "i3")
            func ids(_ scope: InstitutionScope, after: String? = nil) async throws -> [String] {
                try await place.data.institutions.institutions(
                    scope, after: after.map { InstitutionID($0) }, limit: 2
                ).map(\.id.text)
            }
            try expect(try await ids(.all), is: ["i1", "i2"], "all")
            try expect(try await ids(.all, after: "i2"), is: ["i3"], "all, the next page")
            try expect(try await ids(.open), is: ["i2"], "the open ones")
            try expect(try await ids(.visible(to: AccountID("a"), at: Sample.now)), is: ["i2", "i3"], "a member's")
        },
        StoreLaw("who may know of an institution is told when it changes, and voids permits; a title does not") {
            place in
            let institutions = place.data.institutions
            for id in ["student", "member"] { try await place.make(id) }
            try await place.makeInstitution()
            try await place.makeProgram()
            try await place.set(Sample.membership(of: "member", in: "school", as: .student), of: "member")
            try await place.store.create("r")
            try await place.store.create("s", student: AccountID("member"))
            func amend(_ change: @escaping @Sendable (inout Institution) -> Void) async throws {
                _ = try await institutions.amend(InstitutionID("school")) { before in
                    var after = before
                    change(&after)
                    return InstitutionChange(institution: after, audit: Sample.entry("x", of: "school", in: "school"))
                }
            }
            let permit = place.store.context(access: try await place.store.access())
            let told = place.told.count
            try await amend { $0.title = "School" }
            try expect(place.told(after: told), is: [], "what a title tells")
            _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("b") }
            try await amend { $0.isOpen = true }
            try expect(
                place.told(after: told), is: [.audienceChanged(ProgramID("program")), .accessChanged(Sample.student)],
                "what is told when it is opened")
            try await expect(.moved, "a write under the permit of before") {
                _ = try await place.store.amend(RecordID("r"), by: permit) { _ in Sample.amendment("c") }
            }
        },
    ]
}
