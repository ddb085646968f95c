import Accounts
import DataStore
import People
import SQLite
import Shared
import TestKit
import Testing

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
        let values = isNumbered ? 7 : 5
        let own = try plan(of: Connection.feedQuery(isShown: false, isNumbered: isNumbered), values: values)
        #expect(own == ["SEARCH feed_events USING PRIMARY KEY (stream=? AND at>? AND (at,id)<(?,?))"])
        let shown = try plan(of: Connection.feedQuery(isShown: true, isNumbered: isNumbered), values: values)
        #expect(shown == ["SEARCH feed_events USING INDEX feed_events_shown (stream=? AND at>? AND (at,id)<(?,?))"])
    }

    @Test func `search the times of numbers in their own index`() throws {
        let index = "COVERING INDEX feed_events_by_number (stream=? AND number>? AND number<?)"
        #expect(try plan(of: Connection.feedTimesQuery, values: 3) == ["SEARCH feed_events USING \(index)"])
    }
}
