import SQLite
import Shared

/// The list of migrations, with which files are brought up to date or refused.
struct Migrator {
    let migrations: [Migration]

    /// Runs the missing migrations, each in its own transaction.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` for another program's file, a newer schema or a different history.
    func bringUpToDate(_ connection: Connection) throws {
        let known = try applied(on: connection)
        for migration in migrations.dropFirst(known) {
            try connection.withTransaction(.immediate) {
                try connection.execute(migration.script)
                try migration.upgrade?(connection)
                try connection.run("INSERT INTO migrations (name) VALUES (?)", .text(migration.name))
            }
        }
    }

    /// Returns how many migrations the file has; creates the list in an empty file.
    private func applied(on connection: Connection) throws -> Int {
        if try isEmpty(connection) {
            try connection.withTransaction(.immediate) {
                try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
                try connection.execute(
                    "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
            }
            return 0
        }
        return try check(connection)
    }

    /// Returns how many migrations a file has, and checks that they are this program's.
    @discardableResult
    func check(_ connection: Connection) throws -> Int {
        if try isEmpty(connection) { throw StoreError.incompatible(DatabaseFile.isEmpty) }
        let mark = try connection.first("PRAGMA application_id") { $0.integer(0) }
        guard mark == Schema.applicationID else {
            throw StoreError.incompatible("the file is a database of another program")
        }
        let names = try connection.all("SELECT name FROM migrations ORDER BY number") { $0.text(0) }
        guard names.count <= migrations.count else {
            throw StoreError.incompatible(
                "the file's schema is newer than this program: it knows \(migrations.count) steps, the file has "
                    + "\(names.count), the last is “\(names.last ?? "")”")
        }
        guard zip(names, migrations).allSatisfy({ $0 == $1.name }) else {
            throw StoreError.incompatible("the file's schema has another history than this program's")
        }
        return names.count
    }

    private func isEmpty(_ connection: Connection) throws -> Bool {
        try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } == 0
    }
}
