import Accounts
import Cryptography
import SQLite
import Shared
import TestKit
import Testing

@testable import SQLiteStore

@Suite struct `The step that presumes vouching` {
    @Test func `has links of before count as vouched for, and no later ones`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        let steps = Schema.migrations.prefix { $0.name != Schema.presumedVouching.name }
        do {
            let connection = try Connection(path: path, access: .create)
            try Migrator(migrations: Array(steps)).bringUpToDate(connection)
            try connection.execute(
                """
                INSERT INTO accounts (id, created_at, login, display_name, description, gender, hue, locale,
                disabled, search) VALUES ('a', 1, 'ada', 'Ada', '', 'unspecified', 0, 'en', 0, 'ada');
                INSERT INTO identities (issuer, subject, account, linked_at, vouches)
                VALUES ('known', 'ada', 'a', 1, 1), ('unknown', 'ada', 'a', 1, 0);
                """)
        }
        let store = try SQLiteStore.open(path: path)
        let account = AccountID("a")
        #expect(try await store.identities(of: account).map(\.vouching) == [.given, .presumed])
        let assertion = Assertion(
            issuer: "later", subject: "ada", digest: TokenDigest(bytes: [1]), expiresAt: Timestamp(microseconds: 9))
        let act = AuditContext(by: account, from: "test", at: Timestamp(microseconds: 2))
        #expect(try await store.link(assertion, to: account, by: act).vouching == .none)
        await store.close()
    }
}
