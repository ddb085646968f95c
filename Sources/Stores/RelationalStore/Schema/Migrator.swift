package import Database
import Shared

/// The list of migrations, with which files are brought up to date or refused.
package struct Migrator {
    let migrations: [Migration]

    /// Creates the list of this program's migrations.
    package init() { migrations = Schema.migrations }

    init(migrations: [Migration]) { self.migrations = migrations }

    /// Runs the missing migrations, each in its own transaction; returns their names.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` for another program's file, a newer schema or a different history.
    @discardableResult
    package func bringUpToDate(_ connection: Connection) throws -> [String] {
        let missing = migrations.dropFirst(try applied(on: connection))
        for migration in missing {
            try connection.withTransaction(for: .writing) {
                try connection.execute(migration.script(in: connection.dialect))
                try migration.upgrade?(connection)
                try connection.run("INSERT INTO migrations (name) VALUES (?)", .text(migration.name))
                guard migration.expands, case .postgreSQL = connection.dialect else { return }
                try connection.run("UPDATE migrations SET expands = true WHERE name = ?", .text(migration.name))
            }
        }
        return missing.map(\.name)
    }

    /// Returns whether the missing migrations may run beside servers of the schema that the database has: there is one,
    /// and it expands.
    package func expands(_ connection: Connection) throws -> Bool {
        guard try !isEmpty(connection) else { return false }
        let missing = migrations.dropFirst(try check(connection))
        return missing.count == 1 && missing.allSatisfy(\.expands)
    }

    /// Returns how many migrations the database has; creates the list in an empty one.
    private func applied(on connection: Connection) throws -> Int {
        guard try isEmpty(connection) else { return try check(connection) }
        try connection.withTransaction(for: .writing) {
            switch connection.dialect {
            case .sqlite:
                try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
                try connection.execute(
                    "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
            case .postgreSQL:
                try connection.execute(Schema.postgreSQL)
            }
        }
        return 0
    }

    /// Returns whether a database has all migrations of this program.
    package func isUpToDate(_ connection: Connection) throws -> Bool { try check(connection) == migrations.count }

    /// Checks that a server can use a database whose schema it does not change itself.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` with the words for an operator.
    package func checkIsServable(_ connection: Connection) throws {
        let missing = migrations.count - (try check(connection))
        guard missing > 0 else { return }
        throw StoreError.incompatible(
            "the database's schema is \(missing == 1 ? "a step" : "\(missing) steps") behind this program: stop the "
                + "server and run gradecast migrate")
    }

    /// Returns whether a database has run a migration; checks that its schema is one of this program's.
    func hasRun(_ migration: Migration, on connection: Connection) throws -> Bool {
        migrations.prefix(try check(connection)).contains { $0.name == migration.name }
    }

    /// Returns how many migrations a file has, and checks that they are this program's.
    @discardableResult
    package func check(_ connection: Connection) throws -> Int {
        let kind = connection.dialect == .sqlite ? "file" : "database"
        if try isEmpty(connection) {
            throw StoreError.incompatible(connection.dialect == .sqlite ? Self.isEmpty : Self.hasNoTables)
        }
        guard try hasMark(connection) else {
            throw StoreError.incompatible("the \(kind) is a database of another program")
        }
        let names = try connection.all("SELECT name FROM migrations ORDER BY number") { $0.text(0) }
        guard try names.count <= migrations.count || isStepAhead(names.count, on: connection) else {
            throw StoreError.incompatible(
                "the \(kind)'s schema is newer than this program: it knows \(migrations.count) steps, the \(kind) has "
                    + "\(names.count), the last is “\(names.last ?? "")”")
        }
        guard zip(names, migrations).allSatisfy({ $0 == $1.name }) else {
            throw StoreError.incompatible("the \(kind)'s schema has another history than this program's")
        }
        return min(names.count, migrations.count)
    }

    /// Returns whether a database of a server is one step ahead of this program, and the step lets it run.
    private func isStepAhead(_ count: Int, on connection: Connection) throws -> Bool {
        guard case .postgreSQL = connection.dialect, count == migrations.count + 1 else { return false }
        // A schema from before rolling upgrades has no such column.
        let sql = """
            SELECT coalesce(to_jsonb(migrations) ->> 'expands', 'false') = 'true' FROM migrations
            ORDER BY number DESC LIMIT 1
            """
        return try connection.first(sql) { $0.boolean(0) } == true
    }

    /// The error for an empty file, in words for an operator.
    package static let isEmpty = """
        the file is empty: it is no database. Put a backup in its place with gradecast restore, or remove the file to \
        begin with an empty store
        """

    /// The error for a database of a server without tables, in words for an operator.
    private static let hasNoTables = "the database has no tables yet: gradecast migrate makes them"

    /// Returns whether a database has no tables yet.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` for a database that cannot hold every text.
    package func isEmpty(_ connection: Connection) throws -> Bool {
        try checkEncoding(of: connection)
        let sql =
            switch connection.dialect {
            case .sqlite: "SELECT count(*) FROM sqlite_schema"
            case .postgreSQL: "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
            }
        return try connection.first(sql) { $0.integer(0) } == 0
    }

    /// Checks that a database of PostgreSQL holds texts in every script. Another encoding would refuse some of them later,
    /// or take them as bytes that it does not know.
    private func checkEncoding(of connection: Connection) throws {
        guard connection.dialect == .postgreSQL,
            let encoding = try connection.first("SELECT current_setting('server_encoding')", read: { $0.text(0) }),
            encoding != "UTF8"
        else { return }
        throw StoreError.incompatible(
            "the database's encoding is \(encoding): make it anew with ENCODING 'UTF8' TEMPLATE template0")
    }

    /// Returns whether a database that is not empty is Gradecast's.
    private func hasMark(_ connection: Connection) throws -> Bool {
        switch connection.dialect {
        case .sqlite: try connection.first("PRAGMA application_id") { $0.integer(0) } == Schema.applicationID
        case .postgreSQL: try connection.first("SELECT to_regclass('migrations') IS NOT NULL") { $0.boolean(0) } == true
        }
    }
}
