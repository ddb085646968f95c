import Accounts
import Forms
import GradingKit
import Institutions
import Observability
import Shared
import Testing

@testable import Application

/// Every use-case of a program takes a permit, so that whom no permit is given reaches none of them.
@Suite struct ProgramPermitTests {
    /// What becomes of the permits of a caller: `nil` for one that is given, else the code of the refusal.
    private func refusals(of caller: Principal, in harness: ProgramHarness) async throws -> [String?] {
        [
            try await refusal { _ = try await harness.permit(to: May.Read.self, for: caller) },
            try await refusal { _ = try await harness.permit(to: May.Oversee.self, for: caller) },
            try await refusal { _ = try await harness.permit(to: May.Grade.self, for: caller) },
            try await refusal { _ = try await harness.permit(to: May.Write.self, for: caller) },
        ]
    }

    @Test func `registrars may do everything, teachers may not write, students only read`() async throws {
        let harness = try await ProgramHarness()
        #expect(try await refusals(of: harness.principal, in: harness) == [nil, nil, nil, nil])
        let teacher = try await harness.caller("tea", as: "teacher")
        #expect(try await refusals(of: teacher.principal, in: harness) == [nil, nil, nil, "forbidden"])
        let student = try await harness.caller("ada", as: "student")
        #expect(
            try await refusals(of: student.principal, in: harness) == [nil, "forbidden", "forbidden", "forbidden"])
    }

    @Test func `outside a closed institution there is no program`() async throws {
        let harness = try await ProgramHarness()
        let stranger = try await harness.caller("eve")
        for caller in [stranger.principal, .guest] {
            #expect(try await refusals(of: caller, in: harness) == Array(repeating: "not_found", count: 4))
        }
    }

    @Test func `an administrator oversees a program and changes nothing in it`() async throws {
        let harness = try await ProgramHarness()
        let root = try await harness.administrator()
        #expect(try await refusals(of: root.principal, in: harness) == [nil, nil, "forbidden", "forbidden"])
    }

    @Test func `a registrar who is removed gets no further permit`() async throws {
        let harness = try await ProgramHarness()
        let institution = try await harness.current().institution
        let server = AuditContext(by: nil, from: "test", at: harness.act.at)
        try await harness.institutions.members.remove(harness.registrar, from: institution, by: server)
        #expect(try await refusals(of: harness.principal, in: harness) == Array(repeating: "not_found", count: 4))
    }

    @Test func `a permit that was given earlier changes nothing once its holder is removed`() async throws {
        let harness = try await ProgramHarness()
        let institution = try await harness.current().institution
        let server = AuditContext(by: nil, from: "test", at: harness.act.at)
        let log = Log(level: .info, output: LogOutput(form: .json, time: { "now" }) { _ in })
        let programs = ProgramService(
            programs: harness.institutions.programs, access: harness.records.access,
            proofs: harness.accounts.proofs,
            stale: StaleRecords(
                browser: harness.store, schemes: SchemeRegistry(), metrics: Metrics(), log: log),
            schemes: SchemeRegistry(), rulesCache: harness.records.rulesCache)
        let session = try #require(harness.principal.signedIn)
        // The request is read once the permit is given.
        func removing() async throws -> FormInput<ProgramEdit> {
            try await harness.institutions.members.remove(harness.registrar, from: institution, by: server)
            return ProgramEdit.form.input(["title": "Renamed"])
        }
        await #expect(throws: StoreError.moved) {
            try await programs.edit(
                harness.program, to: await removing(), expecting: nil, by: harness.asking,
                in: session,
                answering: Answering { make in _ = try await make { _ in nil } })
        }
        #expect(try await harness.current().title == "GPA")
    }

    @Test func `registrars make programs in their institution, teachers do not`() async throws {
        let harness = try await ProgramHarness()
        let teacher = try await harness.caller("tea", as: "teacher")
        let access = harness.records.access
        #expect(
            try await access.permit(to: May.Create.self, in: "demo", for: harness.principal).institution.slug.text
                == "demo")
        #expect(
            try await refusal { _ = try await access.permit(to: May.Create.self, in: "demo", for: teacher.principal) }
                == "forbidden")
    }

    @Test func `the server is for its administrators`() async throws {
        let harness = try await ProgramHarness()
        let root = try await harness.administrator()
        _ = try harness.records.access.administrator(root.principal)
        #expect(try await refusal { _ = try harness.records.access.administrator(harness.principal) } == "forbidden")
    }
}
