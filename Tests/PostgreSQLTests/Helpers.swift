import PostgreSQL
import TestKit

extension PostgreSQLConnection {
    /// The single number that a statement finds.
    func number(_ sql: String, _ value: SQLValue...) throws -> Int? {
        try all(sql, value) { $0.optionalInteger(0) }.first ?? nil
    }

    /// Asks until a server process waits for an event, or a type of events, of this name.
    func waitUntil(_ process: Int32, waitsFor event: String) throws {
        let question = "SELECT count(*) FROM pg_stat_activity WHERE pid = ? AND ? IN (wait_event, wait_event_type)"
        let end = ContinuousClock.now + .seconds(Patience.seconds)
        while try first(question, .integer(Int(process)), .text(event), read: { $0.integer(0) }) != 1 {
            guard ContinuousClock.now < end else { throw TookTooLong() }
        }
    }
}

/// What was waited for did not come.
struct TookTooLong: Error {}

/// A connection that a test hands to another thread.
struct Handed: @unchecked Sendable {
    // Unchecked: only that thread uses it until it is done.
    let connection: PostgreSQLConnection
}
