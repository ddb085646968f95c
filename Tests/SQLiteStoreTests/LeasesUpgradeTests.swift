import Records
import Database
import SQLite
import Shared
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

@Suite struct `The step that brings leases` {
    @Test func `ends as failed what was under way without the means to go on, and keeps bulk changes`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.db")
        let steps = Schema.migrations.prefix { $0.name != Schema.leases.name }
        do {
            let connection = try Connection(path: path, access: .create)
            try Migrator(migrations: Array(steps)).bringUpToDate(connection)
            try connection.execute(
                """
                INSERT INTO imports (id, program, account, started_at, total, state, done, accepted, refused)
                VALUES ('i', 'p', 'a', 1, 9, 'running', 3, 3, 0);
                INSERT INTO rehearsals (id, program, subject, published_configuration, proposed_configuration, started_at,
                state, done, total, figures, letters, outcomes, bars, records, refused)
                VALUES ('r', 'p', 'draft', '{}', '{}', 1, 'running', 3, 9, 0, 0, 0, 0, 0, 0);
                INSERT INTO rehearsed (rehearsal, record, version) VALUES ('r', 'x', 1);
                INSERT INTO institutions (id, created_at, slug, title, locale, open) VALUES ('s', 1, 's', 'S', 'en', 1);
                INSERT INTO programs (institution, id, revision, scheme, created_at, title, entry)
                VALUES ('s', 'p', 1, 'iut', 1, 'P', 'both');
                INSERT INTO sweeps (institution, id, program, path, account, source, ordered_at, due_on, done, total,
                changed, refused) VALUES ('s', 'b', 'p', '[]', 'a', 't', 1, 0, 3, 9, 2, 1);
                """)
        }
        let store = try SQLiteStore.open(path: path)
        #expect(try await store.entry("i")?.state == .failed)
        #expect(try await store.entry("i")?.endedAt != nil)
        #expect(try await store.rehearsal("r")?.state == .failed)
        #expect(try await store.versions(of: "r", after: nil, limit: 9).count == 1)
        let claim = WorkClaim(owner: "o", token: "t", at: Timestamp(microseconds: 5))
        #expect(try await store.claim(.imports, by: claim) == nil)
        #expect(try await store.claim(.rehearsals, by: claim) == nil)
        #expect(try await store.claim(.bulkChanges, by: claim)?.work == "b")
        #expect(try await store.bulkChange("b")?.progress.done == 3)
        await store.close()
    }

    @Test func `a server that starts takes up at once what an earlier one had claimed`() async throws {
        let directory = try TemporaryDirectory()
        let claim = WorkClaim(owner: "o", token: "t", at: Timestamp(microseconds: 5))
        let entry = ImportEntry(
            id: "i", program: ProgramID("p"), account: AccountID("a"), startedAt: claim.at, key: nil, total: 1,
            order: ImportOrder(source: "", reading: [], size: 0))
        let store = try SQLiteStore.open(path: directory.file("a.db"))
        _ = try await store.begin(entry, by: claim)
        let next = WorkClaim(owner: "p", token: "u", at: claim.at)
        #expect(try await store.claim(.imports, by: next) == nil)
        await store.close()
        let again = try SQLiteStore.open(path: directory.file("a.db"))
        #expect(try await again.claim(.imports, by: next)?.work == "i")
        await again.close()
    }
}
