import Forms
import Institutions
import Records
import Shared
import Testing

@testable import Application

@Suite struct RefusalOrderTests {
    /// The request was read.
    private struct Reading: Error {}
    /// The caller was let through to what is kept or done.
    private struct Answered: Error {}

    private func read<Value>() throws -> Value { throw Reading() }

    @Test func `what a request contains is read only for callers who may act`() async throws {
        let harness = try await ProgramHarness()
        let terms = TermService(
            terms: harness.institutions.terms, access: InstitutionAccess(institutions: harness.institutions))
        let (student, stranger, registrar) = (
            try await harness.caller("ada", as: "student"), try await harness.caller("eve"),
            try await harness.caller("reg", as: "registrar")
        )
        #expect(try await refusal { _ = try await terms.create(read(), in: "demo", by: student) } == "forbidden")
        #expect(try await refusal { _ = try await terms.create(read(), in: "demo", by: stranger) } == "not_found")
        #expect(try await refusal { _ = try await terms.create(read(), in: "none", by: registrar) } == "not_found")
        await #expect(throws: Reading.self) { _ = try await terms.create(read(), in: "demo", by: registrar) }
    }

    @Test func `a kept answer is for those alone who may have the first one`() async throws {
        let harness = try await ProgramHarness()
        let answering = Answering<Rehearsal, Rehearsal, Rehearsal> { _ in throw Answered() }
        let (student, registrar) = (
            try await harness.caller("ada", as: "student"), try await harness.caller("reg", as: "registrar")
        )
        func begin(_ context: AccountContext) async throws {
            _ = try await harness.work.rehearsals.begin(
                .draft, of: harness.program, by: context, answering: answering)
        }
        #expect(try await refusal { try await begin(student) } == "forbidden")
        await #expect(throws: Answered.self) { try await begin(registrar) }
    }
}
