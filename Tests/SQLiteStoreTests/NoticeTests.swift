import DataStore
import Database
import Shared
import StoreContract
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

@Suite struct `A program beside the server` {
    let directory: TemporaryDirectory
    let events = Recorder<StoreEvent>()
    let account = AccountID("a"), session = SessionID("s")
    var path: String { directory.file("a.db") }

    init() throws { directory = try TemporaryDirectory() }

    private func serve() throws -> SQLiteStore {
        try SQLiteStore.open(path: path) { [events] commit in
            for event in commit.events { events.record(event) }
        }
    }

    private func join() throws -> SQLiteStore {
        try SQLiteStore.open(path: path, mayBeGuest: true)
    }

    @Test(arguments: [
        Notice.event(.accessChanged(AccountID("a"))), .event(.sessionEnded(SessionID("s"))), .event(.accountsChanged),
        .event(.programChanged(ProgramID("p"))), .event(.audienceChanged(ProgramID("p"))),
        .event(.recordsChanged(AccountID("a"))), .event(.sharingChanged(RecordID("r"))),
        .event(.tokenEnded(APITokenID("t"))), .event(.classChanged(ClassNews(ClassID("c"), version: nil))),
        .event(.classAudienceChanged(ClassID("c"), rows: [])),
        .altered(.account(AccountID("a"))),
        .altered(.institution(InstitutionID("i"))), .altered(.program(ProgramID("p"))),
    ])
    func `says what it changed in words that are read back`(notice: Notice) {
        #expect(Notice(text: notice.text) == notice)
    }

    @Test func `is not understood when it says something else`() {
        for text in ["", "accounts x", "session", "altered-all x", "Session s"] { #expect(Notice(text: text) == nil) }
    }

    @Test func `is the owner where no server runs`() async throws {
        let alone = try join()
        #expect(!alone.isGuest)
        await alone.close()
    }

    @Test func `has its changes heeded as if they were the server's own`() async throws {
        let server = try serve()
        let guest = try join()
        #expect(guest.isGuest)
        let (mine, other) = (AccessSubject.account(account), AccessSubject.account(AccountID("b")))
        func versions() async throws -> [Int] {
            try await server.write { [try $0.accessVersion(of: mine), try $0.accessVersion(of: other)] }
        }
        #expect(try await versions() == [0, 0])
        let news = server.accessNews
        let (before, beside) = (news.stamp(of: mine, at: news.moment), news.stamp(of: other, at: news.moment))
        try await guest.write { [session] transaction in
            try transaction.raiseAccess(of: mine)
            transaction.post(.sessionEnded(session))
        }
        #expect(try await guest.isHeeded(within: .zero) == false)
        // What the server writes from now on compares with what the guest has stored, before the notice is taken.
        #expect(try await versions() == [1, 0])
        #expect(news.isCurrent(before))
        try await server.takeNotices()
        #expect(try await guest.isHeeded(within: .zero))
        #expect(!news.isCurrent(before) && news.isCurrent(beside))
        #expect(try await versions() == [1, 0])
        #expect(events.items == [.sessionEnded(session)])
        try await server.takeNotices()
        #expect(events.items.count == 1)
        await guest.close()
        await server.close()
    }

    @Test func `leaves no word of a change that was taken back`() async throws {
        let server = try serve()
        let guest = try join()
        await #expect(throws: StoreError.notFound) {
            try await guest.write { transaction in
                try transaction.raiseAccess(of: .account(AccountID("a")))
                transaction.post(.accountsChanged)
                throw StoreError.notFound
            }
        }
        #expect(try await guest.isHeeded(within: .zero))
        await guest.close()
        await server.close()
    }

    @Test func `changes no record`() async throws {
        let server = try serve()
        let guest = try join()
        await #expect(throws: StoreError.unavailable("records are changed by the server alone")) {
            try await guest.make("r", by: "student")
        }
        await guest.close()
        await server.close()
    }

    @Test func `writes while the server writes, and both keep everything`() async throws {
        let server = try serve()
        try await server.write { try $0.connection.execute("CREATE TABLE heap (n INTEGER)") }
        let guest = try join()
        try await withThrowingTaskGroup { group in
            for store in [server, guest] {
                group.addTask {
                    for number in 1...100 {
                        try await store.write { try $0.connection.run("INSERT INTO heap VALUES (?)", .integer(number)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try await server.read { try $0.first("SELECT count(*) FROM heap") { $0.integer(0) } }
        #expect(count == 200)
        await guest.close()
        await server.close()
    }

    @Test func `keeps the file from being replaced under it`() async throws {
        let server = try serve()
        let backup = directory.file("b.db")
        try await server.backUp(to: backup)
        let guest = try join()
        await server.close()
        #expect(throws: StoreError.unavailable("another program is using \(path)")) {
            try SQLiteStore.restore(from: backup, to: path)
        }
        await guest.close()
        try SQLiteStore.restore(from: backup, to: path)
    }

    @Test func `leaves nothing that concerns the next server`() async throws {
        let server = try serve()
        let guest = try join()
        try await guest.write { $0.post(.accountsChanged) }
        await guest.close()
        await server.close()
        let next = try serve()
        try await next.takeNotices()
        #expect(events.items.isEmpty)
        await next.close()
    }
}
