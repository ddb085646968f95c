import Accounts
import Cryptography
import Database
import SQLite
import Shared
import TestKit
import Testing

@testable import RelationalStore
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

@Suite struct `The step that notes who vouched` {
    @Test func `names the one issuer that vouches, or the session's own, and believes no other session or token`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        let steps = Schema.migrations.prefix { $0.name != Schema.vouchers.name }
        do {
            let connection = try Connection(path: path, access: .create)
            try Migrator(migrations: Array(steps)).bringUpToDate(connection)
            for (account, issuers) in [("a", ["i"]), ("b", ["i", "j"])] {
                try connection.execute(
                    """
                    INSERT INTO accounts (id, created_at, login, display_name, description, gender, hue, locale,
                    disabled, search) VALUES ('\(account)', 1, '\(account)', 'x', '', 'unspecified', 0, 'en', 0, 'x');
                    """)
                for issuer in issuers + ["silent"] {
                    try connection.execute(
                        """
                        INSERT INTO identities (issuer, subject, account, linked_at, vouches)
                        VALUES ('\(issuer)', '\(account)', '\(account)', 1, \(issuer == "silent" ? 0 : 1));
                        """)
                }
                for (number, factors) in ["vouched", "vouched", "own"].enumerated() {
                    let name = "\(account)\(number)"
                    try connection.execute(
                        """
                        INSERT INTO sessions (token, id, account, kind, created_at, expires_at, last_seen_at, source,
                        client, factors) VALUES ('\(name)', '\(name)', '\(account)', 'staff', 1, 2, 1, '', '', '\(factors)');
                        INSERT INTO api_tokens (token, id, account, kind, name, scopes, networks, created_at,
                        expires_at, factors)
                        VALUES ('\(name)', '\(name)', '\(account)', 'lasting', '', '', '', 1, 2, '\(factors)');
                        """.replacing("('\(name)', '\(name)'", with: "(x'\(Array(name.utf8).hexadecimal)', '\(name)'"))
                }
            }
            try connection.execute(
                "INSERT INTO session_origins (session, issuer, subject) VALUES ('b0', 'j', x'01'), ('b1', 'silent', x'01')"
            )
        }
        let store = try SQLiteStore.open(path: path)
        func shown(_ account: String) async throws -> [ShownFactors] {
            try await store.sessions(of: AccountID(account)).reversed().map(\.factors)
                + store.apiTokens(of: AccountID(account)).map(\.factors)
        }
        let first = ShownFactors.vouched(by: "i")
        #expect(try await shown("a") == [first, first, .own, first, first, .own])
        #expect(try await shown("b") == [.vouched(by: "j"), .one, .own, .one, .one, .own])
        await store.close()
    }
}
