import Accounts
import DataStore
import People
import Database
import SQLite
import Shared
import TestKit
import Testing

@testable import RelationalStore
@testable import SQLiteStore

@Suite struct `Reads of feeds` {
    private func plan(of query: String, values: Int) throws -> [String] {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("a.db"), access: .create)
        try Migrator(migrations: Schema.migrations).bringUpToDate(connection)
        return try connection.all("EXPLAIN QUERY PLAN \(query)", Array(repeating: .null, count: values)) { $0.text(3) }
    }

    @Test(arguments: [false, true])
    func `search a stream by time, and sort nothing`(isNumbered: Bool) throws {
        let found = try plan(of: Connection.feedQuery(isNumbered: isNumbered), values: isNumbered ? 8 : 6)
        let index = "feed_events_of_stream (stream=? AND shown=? AND at>? AND (at,id)<(?,?))"
        #expect(found == ["SEARCH feed_events USING INDEX \(index)"])
    }
}
