import Accounts
import Application
import Forms
import GradingKit
import Institutions
import Shared
import Testing

@Suite struct TenantsTests {
    @Test func `an institution is found by its identifier and by its slug`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        #expect(try await harness.services.tenants.find("demo") == demo)
        #expect(try await harness.services.tenants.find(demo.id.text) == demo)
        #expect(try await harness.services.tenants.find("other") == nil)
        #expect(try await harness.services.tenants.find("../demo") == nil)
        #expect(try await harness.services.tenants.find("") == nil)
    }

    @Test func `everything wrong is answered at once`() async throws {
        let harness = try InstitutionsHarness()
        _ = try await harness.institution()
        #expect(
            await faults {
                try await harness.services.tenants.create(
                    NewInstitution.form.input(["slug": "demo", "title": " ", "open": 1, "id": "x"]), by: harness.server)
            } == ["/id unknown_field", "/open wrong_type", "/slug slug_taken", "/title missing_field"])
    }

    @Test func `an edit changes what it names, to a free slug only`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let other = try await harness.institution("other")
        #expect(
            await faults {
                try await harness.services.tenants.edit(
                    InstitutionEdit.form.read(["slug": "demo"]), of: other.id, by: harness.server)
            }
                == ["/slug slug_taken"])
        let edited = try await harness.services.tenants.edit(
            InstitutionEdit.form.read(["title": "Collège", "locale": "fr", "open": true]), of: demo.id,
            by: harness.server)
        #expect(edited.title == "Collège")
        #expect(edited.locale == .french)
        #expect(edited.slug == demo.slug)
        #expect(try await harness.services.tenants.find("demo") == edited)
    }

    @Test func `a short name that an institution had is no other one's`() async throws {
        let harness = try InstitutionsHarness()
        let (demo, other) = (try await harness.institution(), try await harness.institution("other"))
        let tenants = harness.services.tenants
        func rename(_ institution: Institution, _ slug: String) async throws {
            _ = try await tenants.edit(
                InstitutionEdit.form.read(["slug": .string(slug)]), of: institution.id, by: harness.server)
        }
        try await rename(demo, "college")
        try await rename(demo, "school")
        for former in ["demo", "college", "school"] {
            #expect(try await tenants.find(former)?.slug.text == "school")
        }
        for former in ["demo", "college", "school"] {
            #expect(await faults { try await rename(other, former) } == ["/slug slug_taken"])
            #expect(await faults { _ = try await harness.institution(former) } == ["/slug slug_taken"])
        }
        try await rename(demo, "demo")
        #expect(try await tenants.find("demo")?.id == demo.id)
    }

    @Test func `what drops the demand for a second factor is found where it is stored`() async throws {
        let harness = try InstitutionsHarness()
        let demo = try await harness.institution()
        let tenants = harness.services.tenants
        let none = try InstitutionEdit.form.read(["secondFactor": "none", "title": "Collège"])
        // It changes nothing when it is sent.
        #expect(
            try await tenants.edit(none, of: demo.id, by: harness.server, isProven: false).secondFactor == .none)
        _ = try await tenants.edit(
            InstitutionEdit.form.read(["secondFactor": "staff"]), of: demo.id, by: harness.server)
        await #expect(throws: ProofNeeded()) {
            try await tenants.edit(none, of: demo.id, by: harness.server, isProven: false)
        }
        #expect(try await tenants.find("demo", bypassingCache: true)?.secondFactor == .staff)
        #expect(try await tenants.edit(none, of: demo.id, by: harness.server, isProven: true).secondFactor == .none)
    }

    @Test func `guests see open ones, members also theirs, administrators all`() async throws {
        let harness = try InstitutionsHarness()
        let open = try await harness.institution("open", open: true)
        let mine = try await harness.institution("mine")
        let other = try await harness.institution("other")
        let alice = try await harness.account("alice").account.id
        _ = try await harness.services.members.set(
            MemberPlace.form.input(["role": "student"]), for: alice, in: mine.id, by: harness.server)
        let tenants = harness.services.tenants
        #expect(try await tenants.list(.open).map(\.id) == [open.id])
        #expect(try await tenants.list(.visible(to: alice, at: harness.now)).map(\.id) == [open.id, mine.id])
        #expect(try await tenants.list(.all).map(\.id) == [open.id, mine.id, other.id])
        #expect(try await tenants.list(.all, after: open.id, limit: 1).map(\.id) == [mine.id])
    }

    @Test(arguments: ["a", "demo", "a-b-1", String(repeating: "x", count: 64)])
    func `a slug is short and plain`(text: String) {
        #expect(Slug(text)?.text == text)
    }

    @Test(arguments: [
        "", "-a", "a-", "A", "a b", "é", "a_b", String(repeating: "x", count: 65),
        "018f3c5e-7b1a-7c3d-9e4f-0123456789ab",
    ])
    func `what is no slug is refused, an identifier too`(text: String) {
        #expect(Slug(text) == nil)
    }
}
