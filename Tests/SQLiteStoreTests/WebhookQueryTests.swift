import DataStore
import Database
import SQLite
import Shared
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

/// The writes of webhooks run between the commits of grades, so none may read a whole queue.
@Suite struct `Queries of webhooks` {
    private func plan(of query: String, values: Int) throws -> [String] {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("a.db"), access: .create)
        try Migrator(migrations: Schema.migrations).bringUpToDate(connection)
        return try connection.all("EXPLAIN QUERY PLAN \(query)", Array(repeating: .null, count: values)) { $0.text(3) }
    }

    @Test func `find the deliveries of one subject by an index`() throws {
        let search = """
            SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_of_subject \
            (webhook=? AND subject=? AND failed_at=?)
            """
        #expect(try plan(of: WebhookQuery.isWaiting, values: 2) == [search])
        #expect(try plan(of: WebhookQuery.promote, values: 3).contains(search))
    }

    @Test func `count by an index alone`() throws {
        let index = "SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_of_state"
        #expect(try plan(of: WebhookQuery.waiting, values: 1) == ["\(index) (webhook=? AND failed_at=?)"])
        #expect(try plan(of: WebhookQuery.failed, values: 1) == ["\(index) (webhook=? AND failed_at>?)"])
    }

    @Test func `find what is due, or to be woken, by its moment`() throws {
        let index = "webhook_deliveries_due (webhook=? AND due_at"
        #expect(try plan(of: WebhookQuery.wake, values: 2) == ["SEARCH webhook_deliveries USING INDEX \(index)>?)"])
        let covering = "SEARCH webhook_deliveries USING COVERING INDEX \(index)>?)"
        #expect(try plan(of: WebhookQuery.repair, values: 3) == [covering])
        #expect(try plan(of: WebhookQuery.due, values: 3).first == "SEARCH webhook_deliveries USING INDEX \(index)<?)")
    }
}
