import Accounts
import DataStore
import Database
import People
import SQLite
import Shared
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

@Suite struct `The search index` {
    private func damaged(by damage: String) throws -> [String] {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        do {
            let connection = try Connection(path: path, access: .create)
            try Migrator(migrations: Schema.migrations).bringUpToDate(connection)
            try connection.execute(
                """
                INSERT INTO accounts (id, created_at, login, display_name, description, gender, hue, locale, disabled,
                search, discoverable) VALUES ('a', 1, 'ada', 'Ada Byron', '', 'unspecified', 0, 'en', 0, 'ada', 1);
                """)
            try connection.index(.account(AccountID("a")))
            try connection.execute(damage)
            _ = try StoreIdentity.establish(on: connection)
        }
        let diagnosis = try SQLiteStore.examine(path)
        #expect(diagnosis.isSound == diagnosis.indexFaults.isEmpty)
        return diagnosis.indexFaults
    }

    @Test func `that says what it describes is sound`() throws { #expect(try damaged(by: "SELECT 1") == []) }

    @Test(arguments: [
        "DELETE FROM search_terms WHERE term = 'ada'",
        "UPDATE search_terms SET title = 'another' WHERE term = 'byron'",
        "UPDATE accounts SET discoverable = 0",
        "UPDATE search_terms SET words = term WHERE term = 'byron'",
        "INSERT INTO search_terms SELECT 'public', kind, term, title, id, words FROM search_terms WHERE term = 'ada'",
    ])
    func `that says something else is not`(damage: String) throws {
        #expect(try damaged(by: damage) == ["person a"])
    }

    @Test func `that holds something that is gone is not`() throws {
        let damage = "DELETE FROM accounts WHERE id = 'a'"
        #expect(try damaged(by: damage) == ["person a"])
    }

    @Test func `is built from what is there when a store gets it`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        do {
            let connection = try Connection(path: path, access: .create)
            let steps = Schema.migrations.prefix { $0.name != Schema.searchWords.name }
            try Migrator(migrations: Array(steps)).bringUpToDate(connection)
            try connection.execute(
                """
                INSERT INTO accounts (id, created_at, login, display_name, description, gender, hue, locale, disabled,
                search, discoverable) VALUES ('a', 1, 'ada', 'Ada Byron', '', 'unspecified', 0, 'en', 0, 'ada', 1);
                INSERT INTO institutions (id, created_at, slug, title, locale, open)
                VALUES ('i', 1, 'i', 'École', 'en', 1);
                """)
        }
        let store = try SQLiteStore.open(path: path)
        let questions = [(SearchKind.person, "byr"), (.institution, "ecole")].map { kind, text in
            SearchQuestion(
                kind, for: SearchText.asked(text), in: [.everyone, .signedIn], viewer: nil, limit: 2)
        }
        #expect(try await store.search(questions).map { $0.hits.map(\.id) } == [["a"], ["i"]])
        await store.close()
        #expect(try SQLiteStore.examine(path).isSound)
    }
}
