import Accounts
import Institutions
import Shared
import Testing

@testable import Application

@Suite struct InstitutionAccessTests {
    @Test func `who belongs to a closed institution sees it, and to anybody else there is none`() async throws {
        let house = try await ProgramHouse()
        let access = InstitutionAccess(institutions: house.institutions)
        let (student, stranger) = (try await house.caller("ada", as: "student"), try await house.caller("eve"))
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
        let house = try await ProgramHouse()
        let access = InstitutionAccess(institutions: house.institutions)
        let (root, registrar) = (try await house.administrator(), try await house.caller("reg", as: "registrar"))
        #expect(try await access.appointing(in: "demo", for: root.principal).only == .registrar)
        #expect(try await access.appointing(in: "demo", for: registrar.principal).only == nil)
    }

    @Test func `a teacher sees the students among the members, a registrar everybody`() async throws {
        let house = try await ProgramHouse()
        let access = InstitutionAccess(institutions: house.institutions)
        let (teacher, registrar) = (
            try await house.caller("tea", as: "teacher"), try await house.caller("reg", as: "registrar")
        )
        #expect(try await !access.members(of: "demo", for: teacher.principal).seesAll)
        #expect(try await access.members(of: "demo", for: registrar.principal).seesAll)
    }

    @Test func `members of a program's institution are told from others who acted in it`() async throws {
        let house = try await ProgramHouse()
        let access = InstitutionAccess(institutions: house.institutions)
        let (root, teacher) = (try await house.administrator(), try await house.caller("tea", as: "teacher"))
        let members = try await access.members(
            among: [root.account, teacher.account, nil], of: try await house.current())
        #expect(members == [teacher.account])
    }
}
