import SQLiteStore
import Storage
import TestKit
import Testing

@Suite struct `The audit trail` {
    @Test func `is read newest first, in pages, one for each institution and one for the server`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore.open(path: directory.file("a.db"), digest: toyDigest)
        for number in 1...5 { try await store.append(.sample("n\(number)", detail: "\(number)")) }
        let own = AuditEntry(
            institution: nil, at: Instant(microseconds: 7), account: nil, source: "cli", action: "server.started",
            subject: "server")
        try await store.append(own)
        let school = InstitutionID("school")
        let page = try await store.lines(of: school, before: nil, limit: 2)
        #expect(page.map(\.number) == [5, 4])
        #expect(page.first?.entry == .sample("n5", detail: "5"))
        #expect(try await store.lines(of: school, before: 4, limit: 9).map(\.number) == [3, 2, 1])
        #expect(try await store.lines(of: nil, before: nil, limit: 9) == [AuditLine(number: 1, entry: own)])
        await store.close()
    }
}
