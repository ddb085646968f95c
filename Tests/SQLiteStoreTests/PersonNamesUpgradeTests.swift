import Accounts
import Database
import SQLite
import Shared
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

@Suite struct `The step that brings first and last names` {
    @Test func `leaves the accounts of before as they were, without these names, and takes them from then on`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        let steps = Schema.migrations.prefix { $0.name != Schema.personNames.name }
        do {
            let connection = try Connection(path: path, access: .create)
            try Migrator(migrations: Array(steps)).bringUpToDate(connection)
            try connection.execute(
                """
                INSERT INTO accounts (id, created_at, login, display_name, description, gender, hue, locale,
                disabled, search) VALUES ('a', 1, 'ada', 'Ada Lovelace', 'Logic', 'female', 7, '', 0, 'ada');
                """)
        }
        let store = try SQLiteStore.open(path: path)
        let id = AccountID("a")
        let expected = Profile(
            displayName: "Ada Lovelace", description: "Logic", gender: .female, hue: AvatarHue(tenths: 7))
        #expect(try await store.account(id)?.profile == expected)
        #expect(try await store.names(of: [id]) == [id: AccountNames(displayName: "Ada Lovelace")])
        let name = PersonName(given: "Ada", family: "Lovelace")
        let act = AuditContext(by: id, from: "test", at: Timestamp(microseconds: 2))
        _ = try await store.amend(id) { situation in
            var account = situation.account
            account.profile.personName = name
            return AccountChange(
                account: account, endsSessions: false, audit: act.entry("profile.changed", of: id.text))
        }
        #expect(try await store.account(id)?.profile.personName == name)
        await store.close()
    }
}
