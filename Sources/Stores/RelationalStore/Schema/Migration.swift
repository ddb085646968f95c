import Database

/// One step of the schema's history. It has a name, runs once, and never changes after a release.
struct Migration: Sendable {
    /// The permanent name; the list of names identifies a file's schema.
    let name: String
    /// Whether a program of the former schema may run beside the step, as a rolling upgrade needs: it only adds what that
    /// program need not know. Each step says so, because a forgotten mark would stop all servers for an upgrade.
    let expands: Bool
    /// The SQL script, in the words of SQLite; see ``Dialect/schema(_:)``.
    let script: String
    /// What PostgreSQL runs besides.
    var onServer = ""
    /// What SQL cannot do; runs after the script in the same transaction.
    var upgrade: (@Sendable (Connection) throws -> Void)?
}

extension Migration {
    /// The script in the words of a database.
    func script(in dialect: Dialect) -> String {
        switch dialect {
        case .sqlite: script
        case .postgreSQL: dialect.schema(script) + onServer
        }
    }
}
