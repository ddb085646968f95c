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
    private let house: ProgramHouse
    private let teacher: NewSession
    private let record: RecordID
    private let course: EntryID

    init() async throws {
        house = try await ProgramHouse()
        teacher = try await house.accounts.signUp(
            ["login": "teacher", "password": "a long enough one", "displayName": "Teacher"],
            from: Client(source: "192.0.2.1"))
        let program = try await house.current()
        _ = try await house.institutions.members.set(
            MemberPlace.form.input(["role": "teacher", "programs": [.string(program.id.text)]]),
            for: teacher.account.id,
            in: program.institution, by: house.act)
        record = try await house.record(total: 80)
        let snapshot = try #require(try await house.store.snapshot(of: record))
        let tree = try JSON.parse(snapshot.full.tree)
        course = EntryID(try #require(tree["entries"]?.array?.first?["id"]?.string))
    }

    /// The teacher signs in, and asks for something at once.
    private func signIn() async throws -> AccountContext {
        let client = Client(source: "192.0.2.1")
        let password = try #require(try await house.store.password(of: teacher.account.id))
        let session = try await house.accounts.sessions.open(teacher.account, by: .password(password), from: client)
        let signedIn = try #require(try await house.accounts.sessions.authenticate(session.token))
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
        try await house.accounts.sessions.end(session, of: teacher.account.id, from: "test")
        let before = try await house.store.snapshot(of: record)
        await expect("unauthenticated") { _ = try await house.records.edit(record, credits(2), by: call) }
        await expect("unauthenticated") { try await house.records.delete(record, by: call) }
        await expect("unauthenticated") {
            _ = try await house.records.create(
                in: house.program, for: nil, template: nil, id: RecordID("new"), by: call)
        }
        #expect(try await house.store.snapshot(of: record) == before)
    }

    @Test func `an import goes on after its sender has signed out, and ends with the account`() async throws {
        let job = try await signIn().job(named: nil)
        try await house.accounts.sessions.endAll(of: teacher.account.id, from: "test")
        let outcome = try await house.records.edit(record, credits(2), by: job)
        #expect(outcome.answer.status == 200)
        _ = try await house.accounts.administration.edit(
            AdministrativeEdit(["disabled": true]), of: teacher.account.id, by: house.act)
        await expect("unauthenticated") { _ = try await house.records.edit(record, credits(3), by: job) }
    }

    @Test func `one who lost the membership meanwhile writes nothing more`() async throws {
        let call = try await signIn()
        let program = try await house.current()
        // A place in another program, which ends no session.
        _ = try await house.institutions.members.set(
            MemberPlace.form.input(["role": "teacher"]), for: teacher.account.id, in: program.institution, by: house.act
        )
        await expect("not_found") { _ = try await house.records.edit(record, credits(2), by: call) }
    }

    @Test func `what changes elsewhere, or in a draft, is no reason to ask again`() async throws {
        let call = try await signIn()
        let program = try await house.current()
        let other = try await house.institutions.programs.create(
            NewProgram.form.input(["scheme": "chalkboard", "title": "Other"]), in: program.institution, by: house.act
        ).program.id
        let context = WriteContext(
            account: call.account, source: "test", at: house.act.at, view: .full, expected: nil,
            idempotency: nil,
            access: try await house.store.accessVersions(of: call.account, in: program.institution, program.id))
        for number in 1...20 {
            _ = try await house.institutions.programs.edit(
                ProgramEdit.form.input([
                    "title": .string("Other \(number)"), "entry": number % 2 == 0 ? "self" : "staff",
                ]), of: other,
                by: house.act)
            try await house.draft(lowestA: 80 + number % 10)
        }
        let book = try await house.records.books.book(of: program, version: 1)
        let outcome = try await house.store.amend(record, by: context) { [edit = credits(2)] snapshot in
            try book.amendment(of: snapshot, by: edit, view: .full)
        }
        #expect(outcome.answer.status == 200)
        // Who enters scores is a reason.
        _ = try await house.institutions.programs.edit(
            ProgramEdit.form.input(["entry": "self"]), of: house.program, by: house.act)
        await #expect(throws: StoreError.moved) {
            try await house.store.amend(record, by: context) { [edit = credits(3)] snapshot in
                try book.amendment(of: snapshot, by: edit, view: .full)
            }
        }
        await expect("forbidden") { _ = try await house.records.edit(record, credits(3), by: call) }
    }

    @Test func `a version published meanwhile is the one by which a new record is judged`() async throws {
        let call = try await signIn()
        try await house.draft(lowestA: 85)
        try await house.publishUnrehearsed(.keep)
        let id = RecordID("new")
        _ = try await house.records.create(in: house.program, for: nil, template: nil, id: id, by: call)
        #expect(try await house.store.head(of: id)?.programVersion == 2)
    }
}
