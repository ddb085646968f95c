import DataStore
import SQLite
import SQLiteStore
import Shared
import TestKit
import Testing

@Suite struct `The audit trail` {
    @Test func `is numbered for each institution and for the server, and chained`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore.open(path: directory.file("a.db"))
        for number in 1...3 { try await store.append(.sample("n\(number)", detail: "\(number)")) }
        try await store.append(
            AuditEntry(
                institution: nil, at: Timestamp(microseconds: 7), account: nil, source: "cli", action: "server.started",
                subject: "server"))
        let lines = try await store.read { connection in
            try connection.all("SELECT scope, number, action FROM audit ORDER BY seq") { row in
                "\(row.text(0)) \(row.integer(1)) \(row.text(2))"
            }
        }
        #expect(lines == ["school 1 n1", "school 2 n2", "school 3 n3", " 1 server.started"])
        await store.close()
        let diagnosis = try SQLiteStore.examine(directory.file("a.db"))
        #expect(diagnosis.isSound)
        #expect(diagnosis.lines == 4)
    }
}
