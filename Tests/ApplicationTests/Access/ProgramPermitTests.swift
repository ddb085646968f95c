import Accounts
import Institutions
import Shared
import Testing

@testable import Application

/// Every use-case of a program takes a permit, so that whom no permit is given reaches none of them.
@Suite struct ProgramPermitTests {
    /// What becomes of the permits of a caller: `nil` for one that is given, else the code of the refusal.
    private func refusals(of caller: Principal, in house: ProgramHouse) async throws -> [String?] {
        [
            try await refusal { _ = try await house.permit(to: May.Read.self, for: caller) },
            try await refusal { _ = try await house.permit(to: May.Oversee.self, for: caller) },
            try await refusal { _ = try await house.permit(to: May.Grade.self, for: caller) },
            try await refusal { _ = try await house.permit(to: May.Write.self, for: caller) },
        ]
    }

    @Test func `registrars may do everything, teachers may not write, students only read`() async throws {
        let house = try await ProgramHouse()
        #expect(try await refusals(of: house.principal, in: house) == [nil, nil, nil, nil])
        let teacher = try await house.caller("tea", as: "teacher")
        #expect(try await refusals(of: teacher.principal, in: house) == [nil, nil, nil, "forbidden"])
        let student = try await house.caller("ada", as: "student")
        #expect(
            try await refusals(of: student.principal, in: house) == [nil, "forbidden", "forbidden", "forbidden"])
    }

    @Test func `outside a closed institution there is no program`() async throws {
        let house = try await ProgramHouse()
        let stranger = try await house.caller("eve")
        for caller in [stranger.principal, .guest] {
            #expect(try await refusals(of: caller, in: house) == Array(repeating: "not_found", count: 4))
        }
    }

    @Test func `an administrator oversees a program and changes nothing in it`() async throws {
        let house = try await ProgramHouse()
        let root = try await house.administrator()
        #expect(try await refusals(of: root.principal, in: house) == [nil, nil, "forbidden", "forbidden"])
    }

    @Test func `a registrar who is removed gets no further permit`() async throws {
        let house = try await ProgramHouse()
        let institution = try await house.current().institution
        let server = AuditContext(by: nil, from: "test", at: house.act.at)
        try await house.institutions.members.remove(house.registrar, from: institution, by: server)
        #expect(try await refusals(of: house.principal, in: house) == Array(repeating: "not_found", count: 4))
    }

    @Test func `registrars make programs in their institution, teachers do not`() async throws {
        let house = try await ProgramHouse()
        let teacher = try await house.caller("tea", as: "teacher")
        let access = house.records.access
        #expect(
            try await access.permit(to: May.Create.self, in: "demo", for: house.principal).institution.slug.text
                == "demo")
        #expect(
            try await refusal { _ = try await access.permit(to: May.Create.self, in: "demo", for: teacher.principal) }
                == "forbidden")
    }

    @Test func `the server is for its administrators`() async throws {
        let house = try await ProgramHouse()
        let root = try await house.administrator()
        _ = try house.records.access.administrator(root.principal)
        #expect(try await refusal { _ = try house.records.access.administrator(house.principal) } == "forbidden")
    }
}
