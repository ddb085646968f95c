import DataStore
import Database
import Shared

/// Copies all rows of a store into an empty one of another kind, and compares the two.
struct StoreTransfer {
    private let source: Connection
    private let target: Connection
    private let tables: [StoreTable]

    /// Prepares a copy. Each connection has an open transaction: the source's for reading one moment.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` if the schemas are not this program's, the target is not empty or the
    ///   source was never served.
    init(from source: Connection, to target: Connection) throws {
        (self.source, self.target) = (source, target)
        try Self.checkSchema(of: source, "the store to copy")
        try Self.checkSchema(of: target, "the store to fill")
        tables = try StoreTable.all(of: source)
        guard try StoreTable.all(of: target) == tables else {
            throw StoreError.incompatible("the tables of the two stores differ")
        }
        for table in tables where table.name != Self.seeded {
            guard try table.count(on: target) == 0 else {
                throw StoreError.incompatible("the store to fill is not empty: it has rows in \(table.name)")
            }
        }
        guard try StoreIdentity.read(from: source) != nil else {
            throw StoreError.incompatible("the store to copy is empty: no server has used it")
        }
    }

    private static func checkSchema(of connection: Connection, _ role: String) throws {
        do {
            try Migrator().checkIsServable(connection)
        } catch StoreError.incompatible(let words) {
            throw StoreError.incompatible("\(role): \(words)")
        }
    }

    /// The table that has a row from its making.
    private static let seeded = "feed_progress"

    /// Copies all rows, begins a new epoch in the target, and checks the target. The caller commits.
    ///
    /// - Returns: the number of rows.
    /// - Throws: ``StoreError/incompatible(_:)`` if the target differs from the source or its trails are not sound.
    func run(progress: CopyProgress) throws -> Int {
        let constraints = try dropForeignKeys()
        try target.execute("DELETE FROM \(Self.seeded)")
        let total = try tables.reduce(0) { try $0 + $1.count(on: source) }
        var done = 0
        for table in tables {
            let copied = try copy(table) { progress(done + $0, total) }
            guard try table.digest(on: target) == copied else {
                throw StoreError.incompatible("the copy of \(table.name) differs from what was read")
            }
            done += copied.rows
        }
        try restore(constraints)
        try setNumbers()
        try StoreIdentity.rotateEpoch(on: target)
        var doctor = Doctor(connection: target, isInTransaction: true)
        let diagnosis = try doctor.examine(faults: [])
        guard diagnosis.isSound else {
            let faults =
                diagnosis.trailFaults.prefix(5).map { "\($0.trail) \($0.number): \($0.kind.rawValue)" }
                + diagnosis.indexFaults.prefix(5)
            throw StoreError.incompatible("gradecast doctor finds faults: " + faults.joined(separator: "; "))
        }
        return done
    }

    /// Copies the rows of a table; returns the digest of what was read.
    private func copy(_ table: StoreTable, progress: (Int) -> Void) throws -> TableDigest {
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        let insert = "INSERT INTO \"\(table.name)\" (\(table.list)) VALUES (\(marks))"
        var digest = TableDigest()
        try table.forEachRow(on: source) { row in
            digest.add(row, of: table)
            try target.run(insert, table.values(row))
            guard digest.rows % StoreTable.slice == 0 else { return }
            // Waits for a server, so that few rows are on their way.
            _ = try target.changes
            progress(digest.rows)
        }
        return digest
    }

    // MARK: - What differs between the databases

    private typealias ForeignKey = (table: String, name: String, definition: String)

    /// Lets rows come before those that they name. SQLite checks them at the commit; a server gets its constraints back
    /// after the rows.
    private func dropForeignKeys() throws -> [ForeignKey] {
        guard case .postgreSQL = target.dialect else {
            try target.execute("PRAGMA defer_foreign_keys = ON")
            return []
        }
        let keys: [ForeignKey] = try target.all(
            """
            SELECT CAST(CAST(conrelid AS regclass) AS TEXT), CAST(quote_ident(conname) AS TEXT), pg_get_constraintdef(oid)
            FROM pg_constraint WHERE contype = 'f' AND connamespace = CAST(current_schema() AS regnamespace)
            """
        ) { ($0.text(0), $0.text(1), $0.text(2)) }
        for key in keys { try target.execute("ALTER TABLE \(key.table) DROP CONSTRAINT \(key.name)") }
        return keys
    }

    private func restore(_ keys: [ForeignKey]) throws {
        for key in keys {
            try target.execute("ALTER TABLE \(key.table) ADD CONSTRAINT \(key.name) \(key.definition)")
        }
    }

    /// Lets a server number new rows after the copied ones, as SQLite does by itself.
    private func setNumbers() throws {
        guard case .postgreSQL = target.dialect else { return }
        let columns = try target.all(
            """
            SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns
            WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name <> 'migrations'
            """
        ) { (table: $0.text(0), column: $0.text(1)) }
        for (table, column) in columns {
            _ = try target.first(
                """
                SELECT setval(pg_get_serial_sequence('"\(table)"', '\(column)'), greatest(max("\(column)"), 1),
                max("\(column)") IS NOT NULL) FROM "\(table)"
                """
            ) { $0.integer(0) }
        }
    }
}
