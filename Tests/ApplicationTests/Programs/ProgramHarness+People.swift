import Forms
import SQLiteStore
import Institutions
import Records
import Cryptography
import Accounts
import Gradebook
import GradingKit
import Observability
import Shared
import Testing

@testable import Application

extension ProgramHarness {
    /// Somebody with an account, and with a role in the program's institution if one is named, who asks for something at
    /// once.
    func caller(_ login: String, as role: String? = nil) async throws -> AccountContext {
        let client = Client(source: "192.0.2.1")
        let account = try await accounts.signUp(
            SignUpRequest(login: Login(login), displayName: login, password: Password("a long enough one")),
            from: client
        ).account
        if let role {
            let program = try await current()
            var place: JSONObject = ["role": .string(role)]
            if role == "teacher" { place["programs"] = [.string(program.id.text)] }
            _ = try await institutions.members.set(
                MemberPlace.form.input(.object(place)), for: account.id, in: program.institution, by: act)
        }
        let password = try #require(try await store.password(of: account.id))
        let session = try await accounts.sessions.open(account, by: .password(password), from: client)
        let signedIn = try #require(try await accounts.sessions.authenticate(session.token))
        return try AccountContext(
            RequestContext(
                principal: .signedIn(signedIn), client: client, language: .english, now: WallClock.system.now))
    }

    /// The server's first administrator.
    func administrator() async throws -> AccountContext {
        let client = Client(source: "192.0.2.1")
        let link = try #require(try await accounts.administration.firstAdministratorToken())
        let session = try await accounts.administration.createFirst(
            FirstAdministrator.form.input([
                "token": .string(link.text), "login": "root", "password": "a long enough one", "displayName": "Root",
            ]), from: client)
        let signedIn = try #require(try await accounts.sessions.authenticate(session.token))
        return try AccountContext(
            RequestContext(
                principal: .signedIn(signedIn), client: client, language: .english, now: WallClock.system.now))
    }

    /// A record of a student with one course of that total, entered by the staff.
    func record(of student: AccountContext, total: Int, hidden: Bool = false) async throws -> RecordID {
        try await record(total: total, hidden: hidden, of: student.account)
    }

    /// The identifier of a record's first entry.
    func course(of record: RecordID) async throws -> EntryID {
        let snapshot = try #require(try await store.snapshot(of: record))
        return EntryID(try #require(JSON.parse(snapshot.full.tree)["entries"]?.array?.first?["id"]?.string))
    }

    /// An edit that gives the first course so many credits.
    func credits(_ number: Int, of record: RecordID) async throws -> RecordEdit {
        RecordEdit(
            [.patch(try await course(of: record), ["fields": ["credits": .number(String(number))]])], answer: .whole)
    }

    /// The credits of the record's first course.
    func credits(of record: RecordID) async throws -> String? {
        let snapshot = try #require(try await store.snapshot(of: record))
        let entry = try JSON.parse(snapshot.full.tree)["entries"]?.array?.first
        return entry?["fields"]?["credits"]?.text
    }
}

/// The code of the use-case error that something ends with; `nil` when it ends with none.
func refusal(_ body: () async throws -> Void) async throws -> String? {
    do {
        try await body()
        return nil
    } catch let error as UseCaseError {
        return "\(error.code)"
    }
}

extension ProgramHarness {
    /// The feeds of people over the harness's store.
    func feeds(_ news: FeedNews = FeedNews()) -> Feeds {
        Feeds(
            store: store, records: records, classes: store, bookCache: ClassBookCache(), sharings: sharings,
            profiles: accounts.profiles, projections: store, isEnabled: true, news: news)
    }

    /// Projects all that is in the logs.
    func projectFeeds(_ news: FeedNews = FeedNews()) async throws {
        let projector = feedProjector(news)
        while try await projector.step() {}
    }

    func feedProjector(_ news: FeedNews) -> FeedProjector {
        FeedProjector(
            store: store, institutions: institutions.tenants, news: news, keepDays: 400, clock: .system,
            log: Log(level: .error, output: LogOutput(form: .json, time: { "now" }) { _ in }))
    }
}
