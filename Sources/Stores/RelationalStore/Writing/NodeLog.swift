package import Database
package import Shared

/// The log that the nodes over one database of PostgreSQL follow, and their places in it.
///
/// A change that writes an entry has the whole store to itself from before that until after its commit, so entries become
/// visible in the order of their numbers, and none appears behind one that was read.
package struct NodeLog {
    /// An entry of the log.
    package struct Entry: Sendable {
        /// The number of the entry.
        package let number: Int
        /// The node that wrote it.
        package let writer: String
        /// What changed, as text.
        package let notice: String
    }

    /// How a node stands after it has reported.
    package struct Report: Sendable {
        /// The time of the store.
        package let now: Timestamp
        /// Whether other nodes are serving.
        package let hasOthers: Bool
    }

    /// How long after its last report a node counts as gone, in microseconds. It has trusted its memory no longer than
    /// half of that (``LogReading/trust``).
    private static let silence = 4_000_000
    private static let forgotten = 3_600_000_000
    /// The time of the store, in microseconds.
    private static let now = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"

    private let connection: Connection

    /// Creates the log over a connection to the database.
    package init(_ connection: Connection) { self.connection = connection }

    /// Returns the time of the store.
    package func time() throws -> Timestamp {
        Timestamp(microseconds: Int64(try connection.first("SELECT \(Self.now)") { $0.integer(0) } ?? 0))
    }

    /// Returns the number of the last entry; 0 if there is none.
    package func end() throws -> Int {
        try connection.first("SELECT coalesce(max(number), 0) FROM node_log") { $0.integer(0) } ?? 0
    }

    /// Adds entries, within the transaction of the change.
    package func add(_ notices: [Notice], by writer: String) throws {
        for notice in notices {
            try connection.run(
                "INSERT INTO node_log (at, writer, notice) VALUES (\(Self.now), ?, ?)", .text(writer),
                .text(notice.text))
        }
    }

    /// Returns the entries after a number, in order.
    package func entries(after number: Int, limit: Int) throws -> [Entry] {
        try connection.all(
            "SELECT number, writer, notice FROM node_log WHERE number > ? ORDER BY number LIMIT ?", .integer(number),
            .integer(limit)
        ) { Entry(number: $0.integer(0), writer: $0.text(1), notice: $0.text(2)) }
    }

    /// Stores that a node is there and has taken in the log up to a number.
    package func report(_ node: String, heard number: Int) throws -> Report {
        let found = try connection.first(
            """
            INSERT INTO nodes (name, heard, seen_at) VALUES (?, ?, \(Self.now))
            ON CONFLICT (name) DO UPDATE SET heard = excluded.heard, seen_at = excluded.seen_at
            RETURNING seen_at,
            EXISTS (SELECT 1 FROM nodes WHERE name <> ? AND seen_at > \(Self.now) - \(Self.silence))
            """, .text(node), .integer(number), .text(node)
        ) { Report(now: Timestamp(microseconds: Int64($0.integer(0))), hasOthers: $0.boolean(1)) }
        guard let found else { throw StoreError.unavailable("the database stored no report of the node") }
        return found
    }

    /// Removes a node that ends.
    package func leave(_ node: String) throws {
        try connection.run("DELETE FROM nodes WHERE name = ?", .text(node))
        try connection.run("DELETE FROM writers WHERE name = ?", .text(node))
    }

    /// Returns whether every other node that is serving has taken in the log up to its end.
    package func isHeard(besides node: String) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM nodes WHERE name <> ? AND seen_at > \(Self.now) - \(Self.silence)
            AND heard < (SELECT coalesce(max(number), 0) FROM node_log) LIMIT 1
            """, .text(node)
        ) { $0.integer(0) } == nil
    }

    /// Deletes old entries, and nodes that ended without a word long ago.
    package func tidy() throws {
        try connection.run(
            "DELETE FROM node_log WHERE at < \(Self.now) - ?", .integer(LogReading.kept * 1_000_000))
        try connection.run(
            """
            DELETE FROM writers WHERE name IN (
                SELECT name FROM nodes WHERE seen_at < \(Self.now) - \(Self.forgotten))
            """)
        try connection.run("DELETE FROM nodes WHERE seen_at < \(Self.now) - \(Self.forgotten)")
    }
}

extension WriteTransaction {
    /// Stores what changed since `mark` in the log of the nodes; returns whether there was anything.
    ///
    /// What an act changed in a class takes no permission away; readers elsewhere are woken for it, or find it.
    package func log(since mark: Mark, by writer: String) throws -> Bool {
        let notices = notices(since: mark).filter { notice in
            if case .event(.classChanged) = notice { false } else { true }
        }
        guard !notices.isEmpty else { return false }
        try holdEverything()
        try NodeLog(connection).add(notices, by: writer)
        return true
    }
}
