import Accounts
import GradingKit
import HTTP
import Institutions
import Records
import SQLiteStore
@testable import Server
import Shared
import Testing

/// Writes whose permission was given before something else changed: the store decides, the desk asks again.
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
            ["role": "teacher", "programs": [.string(program.id.text)]], for: teacher.account.id,
            in: program.institution, by: house.act)
        record = try await house.record(total: 80)
        let snapshot = try #require(try await house.store.snapshot(of: record))
        let tree = try JSON.parse(snapshot.full.tree)
        course = EntryID(try #require(tree["entries"]?.array?.first?["id"]?.string))
    }

    private func signIn() async throws -> SecretCall {
        SecretCall(
            admission: try await house.accounts.sessions.open(teacher.account, from: Client(source: "192.0.2.1")))
    }

    /// Who is signed in, and the call that a request of theirs would be now.
    private struct SecretCall {
        let admission: NewSession

        func call(_ house: ProgramHouse) async throws -> SignedInCall {
            let accessVersion = house.accounts.sessions.accessVersion
            let signedIn = try #require(try await house.accounts.sessions.authenticate(admission.token))
            var router = Router<Route>()
            try router.add(.patch, "/x", Route(.patch, "/x", .signedIn, "") { _ in Response(.ok) })
            var parser = RequestParser()
            parser.feed(Array("PATCH /x HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            guard case .request(let head, _) = try parser.next(),
                case .found(_, let parameters) = router.match(head.method, head.target)
            else { throw StoreError.notFound }
            return try SignedInCall(
                Call(
                    request: Request(head: head), parameters: parameters, declared: .change, takes: .required,
                    principal: .signedIn(signedIn), token: admission.token,
                    arrival: Arrival(client: .unspecified, isSecure: false, host: nil),
                    client: Client(source: "192.0.2.1"), now: WallClock.system.now, accessVersion: accessVersion))
        }
    }

    private func credits(_ number: Int) -> RecordEdit {
        RecordEdit([.patch(course, ["fields": ["credits": .number(String(number))]])], answer: .whole)
    }

    private func expect(_ status: Int, _ body: () async throws -> Void) async {
        let error = await #expect(throws: Problem.self) { try await body() }
        #expect(error?.status.code == status)
    }

    @Test func `a write by one whose session has ended since is refused, and nothing is stored`() async throws {
        let person = try await signIn()
        let call = try await person.call(house)
        let session = call.signedIn.session
        try await house.accounts.sessions.end(session, of: teacher.account.id, from: "test")
        let before = try await house.store.snapshot(of: record)
        await expect(401) { _ = try await house.desk.edit(record, credits(2), by: call) }
        await expect(401) { try await house.desk.delete(record, by: call) }
        await expect(401) {
            _ = try await house.desk.create(
                in: house.program, for: nil, template: nil, id: RecordID("new"), by: call)
        }
        #expect(try await house.store.snapshot(of: record) == before)
    }

    @Test func `an import goes on after its sender has signed out, and ends with the account`() async throws {
        let person = try await signIn()
        let call = try await person.call(house)
        try await house.accounts.sessions.endAll(of: teacher.account.id, from: "test")
        let outcome = try await house.desk.edit(record, credits(2), by: call, asOneOfMany: nil)
        #expect(outcome.answer.status == 200)
        _ = try await house.accounts.administration.edit(["disabled": true], of: teacher.account.id, by: house.act)
        await expect(401) { _ = try await house.desk.edit(record, credits(3), by: call, asOneOfMany: nil) }
    }

    @Test func `one who lost the membership meanwhile writes nothing more`() async throws {
        let call = try await signIn().call(house)
        let program = try await house.current()
        // A place in another program, which ends no session.
        _ = try await house.institutions.members.set(
            ["role": "teacher"], for: teacher.account.id, in: program.institution, by: house.act)
        await expect(404) { _ = try await house.desk.edit(record, credits(2), by: call) }
    }

    @Test func `what changes elsewhere, or in a draft, is no reason to ask again`() async throws {
        let call = try await signIn().call(house)
        let program = try await house.current()
        let other = try await house.institutions.programs.create(
            ["scheme": "chalkboard", "title": "Other"], in: program.institution, by: house.act
        ).program.id
        let context = WriteContext(
            account: call.signedIn.account, source: "test", at: house.act.at, view: .full, expected: nil,
            idempotency: nil, accessVersion: call.call.accessVersion)
        for number in 1...20 {
            _ = try await house.institutions.programs.edit(
                ["title": .string("Other \(number)"), "entry": number % 2 == 0 ? "self" : "staff"], of: other,
                by: house.act)
            try await house.draft(lowestA: 80 + number % 10)
        }
        let book = try await house.desk.books.book(of: program, version: 1)
        let outcome = try await house.store.amend(record, by: context) { [edit = credits(2)] snapshot in
            try book.amendment(of: snapshot, by: edit, view: .full)
        }
        #expect(outcome.answer.status == 200)
        // Who enters scores is a reason.
        _ = try await house.institutions.programs.edit(["entry": "self"], of: house.program, by: house.act)
        await #expect(throws: StoreError.moved) {
            try await house.store.amend(record, by: context) { [edit = credits(3)] snapshot in
                try book.amendment(of: snapshot, by: edit, view: .full)
            }
        }
        await expect(403) { _ = try await house.desk.edit(record, credits(3), by: call) }
    }

    @Test func `a version published meanwhile is the one by which a new record is judged`() async throws {
        let call = try await signIn().call(house)
        try await house.draft(lowestA: 85)
        try await house.publishUnrehearsed(.keep)
        let id = RecordID("new")
        _ = try await house.desk.create(in: house.program, for: nil, template: nil, id: id, by: call)
        #expect(try await house.store.head(of: id)?.programVersion == 2)
    }
}
