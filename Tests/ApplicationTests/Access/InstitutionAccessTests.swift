import Accounts
import Institutions
import Shared
import Testing

@testable import Application

@Suite struct InstitutionAccessTests {
    @Test func `who belongs to a closed institution sees it, and to anybody else there is none`() async throws {
        let harness = try await ProgramHarness()
        let access = InstitutionAccess(institutions: harness.institutions)
        let (student, stranger) = (try await harness.caller("ada", as: "student"), try await harness.caller("eve"))
        #expect(try await access.institution(.read, "demo", for: student.principal).slug.text == "demo")
        #expect(
            try await refusal { _ = try await access.institution(.read, "demo", for: stranger.principal) }
                == "not_found")
        #expect(
            try await refusal { _ = try await access.institution(.write, "demo", for: student.principal) }
                == "forbidden")
        #expect(try await refusal { _ = try await access.institution(.read, "demo", for: .guest) } == "not_found")
    }

    @Test func `administrators appoint registrars alone, registrars anybody`() async throws {
        let harness = try await ProgramHarness()
        let access = InstitutionAccess(institutions: harness.institutions)
        let (root, registrar) = (try await harness.administrator(), try await harness.caller("reg", as: "registrar"))
        #expect(try await access.appointing(in: "demo", for: root.principal).only == .registrar)
        #expect(try await access.appointing(in: "demo", for: registrar.principal).only == nil)
    }

    @Test func `a teacher sees the students among the members, a registrar everybody`() async throws {
        let harness = try await ProgramHarness()
        let access = InstitutionAccess(institutions: harness.institutions)
        let (teacher, registrar) = (
            try await harness.caller("tea", as: "teacher"), try await harness.caller("reg", as: "registrar")
        )
        #expect(try await !access.members(of: "demo", for: teacher.principal).seesAll)
        #expect(try await access.members(of: "demo", for: registrar.principal).seesAll)
    }

    @Test func `members of a program's institution are told from others who acted in it`() async throws {
        let harness = try await ProgramHarness()
        let access = InstitutionAccess(institutions: harness.institutions)
        let (root, teacher) = (try await harness.administrator(), try await harness.caller("tea", as: "teacher"))
        let members = try await access.members(
            among: [root.account, teacher.account, nil], of: try await harness.current())
        #expect(members == [teacher.account])
    }
}
