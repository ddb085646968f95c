import Accounts
import Forms
import GradingKit
import Institutions
import Records
import SQLiteStore
@testable import Application
import Shared
import Testing

/// Writes whose permission was given before something else changed: the store decides, the service asks again.
@Suite struct RecordServiceTests {
    private let harness: ProgramHarness
    private let teacher: NewSession
    private let record: RecordID
    private let course: EntryID

    init() async throws {
        harness = try await ProgramHarness()
        teacher = try await harness.accounts.signUp(
            SignUpRequest(login: Login("teacher"), displayName: "Teacher", password: Password("a long enough one")),
            from: Client(source: "192.0.2.1"))
        let program = try await harness.current()
        _ = try await harness.institutions.members.set(
            MemberPlace.form.input(["role": "teacher", "programs": [.string(program.id.text)]]),
            for: teacher.account.id,
            in: program.institution, by: harness.act)
        record = try await harness.record(total: 80)
        let snapshot = try #require(try await harness.store.snapshot(of: record))
        let tree = try JSON.parse(snapshot.full.tree)
        course = EntryID(try #require(tree["entries"]?.array?.first?["id"]?.string))
    }

    /// The teacher signs in, and asks for something at once.
    private func signIn() async throws -> AccountContext {
        let client = Client(source: "192.0.2.1")
        let password = try #require(try await harness.store.password(of: teacher.account.id))
        let session = try await harness.accounts.sessions.open(teacher.account, by: .password(password), from: client)
        let signedIn = try #require(try await harness.accounts.sessions.authenticate(session.token))
        return try AccountContext(
            RequestContext(
                principal: .signedIn(signedIn), client: client, language: .english, now: WallClock.system.now))
    }

    private func credits(_ number: Int) -> RecordEdit {
        RecordEdit([.patch(course, ["fields": ["credits": .number(String(number))]])], answer: .whole)
    }

    private func expect(_ code: FaultCode, _ body: () async throws -> Void) async {
        let error = await #expect(throws: UseCaseError.self) { try await body() }
        #expect(error?.code == code)
    }

    @Test func `a write by one whose session has ended since is refused, and nothing is stored`() async throws {
        let call = try await signIn()
        let session = try #require(call.principal.signedIn?.session)
        try await harness.accounts.sessions.end(session, of: teacher.account.id, from: "test")
        let before = try await harness.store.snapshot(of: record)
        await expect("unauthenticated") { _ = try await harness.records.edit(record, credits(2), by: call) }
        await expect("unauthenticated") { try await harness.records.delete(record, by: call) }
        await expect("unauthenticated") {
            _ = try await harness.records.create(
                in: harness.program, for: nil, template: nil, id: RecordID("new"), by: call)
        }
        #expect(try await harness.store.snapshot(of: record) == before)
    }

    @Test func `an import goes on after its sender has signed out, and ends with the account`() async throws {
        let job = try await signIn().job(named: nil)
        try await harness.accounts.sessions.endAll(of: teacher.account.id, from: "test")
        let outcome = try await harness.records.edit(record, credits(2), by: job)
        #expect(outcome.answer.kind == .changed)
        _ = try await harness.accounts.administration.edit(
            AdministrativeEdit.form.read(["disabled": true]), of: teacher.account.id, by: harness.act)
        await expect("unauthenticated") { _ = try await harness.records.edit(record, credits(3), by: job) }
    }

    @Test func `a scope that is taken from a service account stops its writes and imports under way`() async throws {
        let (services, home) = (harness.institutions.serviceAccounts, try await harness.current().institution)
        let service = try await services.create(
            ServiceAccountCreation.form.input([
                "name": "Grades", "role": "registrar", "scopes": ["records:write", "results:write"],
            ]), in: home, by: harness.act)
        let (_, secret) = try await harness.accounts.tokens.create(
            TokenRequest.form.input(["name": "Grades", "scopes": ["records:write", "results:write"]]),
            for: service.id, in: home, by: harness.act, network: { $0 })
        guard case .bearer(let bearer) = try await harness.accounts.tokens.authenticate(secret) else {
            throw StoreError.notFound
        }
        func context(_ scope: Scope) throws -> AccountContext {
            try AccountContext(
                RequestContext(
                    principal: .token(bearer), client: Client(source: "192.0.2.1"), language: .english,
                    now: WallClock.system.now, under: scope))
        }
        let (call, job) = (try context(.recordsWrite), try context(.resultsWrite).job(named: nil))
        _ = try await harness.records.edit(record, credits(2), by: call)
        _ = try await harness.records.edit(record, credits(3), by: job)
        _ = try await services.edit(
            ServiceAccountChange.form.input(["scopes": ["results:write"]]), of: service.id, in: home, by: harness.act)
        let before = try await harness.store.snapshot(of: record)
        await expect("insufficient_scope") { _ = try await harness.records.edit(record, credits(4), by: call) }
        #expect(try await harness.store.snapshot(of: record) == before)
        _ = try await harness.records.edit(record, credits(5), by: job)
        _ = try await services.edit(
            ServiceAccountChange.form.input(["scopes": ["records:write"]]), of: service.id, in: home, by: harness.act)
        await expect("insufficient_scope") { _ = try await harness.records.edit(record, credits(6), by: job) }
    }

    @Test func `one who lost the membership meanwhile writes nothing more`() async throws {
        let call = try await signIn()
        let program = try await harness.current()
        // A place in another program, which ends no session.
        _ = try await harness.institutions.members.set(
            MemberPlace.form.input(["role": "teacher"]), for: teacher.account.id, in: program.institution,
            by: harness.act
        )
        await expect("not_found") { _ = try await harness.records.edit(record, credits(2), by: call) }
    }

    @Test func `what changes elsewhere, or in a draft, is no reason to ask again`() async throws {
        let call = try await signIn()
        let program = try await harness.current()
        let other = try await harness.institutions.programs.create(
            NewProgram.form.input(["scheme": "chalkboard", "title": "Other"]), in: program.institution, by: harness.act
        ).program.id
        let context = WriteContext(
            account: call.account, source: "test", at: harness.act.at, view: .full, expected: nil,
            idempotency: nil,
            access: try await harness.store.accessVersions(of: call.account, in: program.institution, program.id))
        for number in 1...20 {
            _ = try await harness.institutions.programs.edit(
                ProgramEdit.form.input([
                    "title": .string("Other \(number)"), "entry": number % 2 == 0 ? "self" : "staff",
                ]), of: other,
                by: harness.act)
            try await harness.draft(lowestA: 80 + number % 10)
        }
        let recordRules = try await harness.records.rulesCache.rules(of: program, version: 1)
        let outcome = try await harness.store.amend(record, by: context) { [edit = credits(2)] snapshot in
            try recordRules.amendment(of: snapshot, by: edit, view: .full)
        }
        #expect(outcome.answer.kind == .changed)
        // Who enters scores is a reason.
        _ = try await harness.institutions.programs.edit(
            ProgramEdit.form.input(["entry": "self"]), of: harness.program, by: harness.act)
        await #expect(throws: StoreError.moved) {
            try await harness.store.amend(record, by: context) { [edit = credits(3)] snapshot in
                try recordRules.amendment(of: snapshot, by: edit, view: .full)
            }
        }
        await expect("forbidden") { _ = try await harness.records.edit(record, credits(3), by: call) }
    }

    @Test func `a version published meanwhile is the one by which a new record is judged`() async throws {
        let call = try await signIn()
        try await harness.draft(lowestA: 85)
        try await harness.publishUnrehearsed(.keep)
        let id = RecordID("new")
        _ = try await harness.records.create(in: harness.program, for: nil, template: nil, id: id, by: call)
        #expect(try await harness.store.head(of: id)?.programVersion == 2)
    }
}
