import SQLite

/// One step of the schema's history. It has a name, runs once, and never changes after a release.
struct Migration: Sendable {
    /// The permanent name; the list of names identifies a file's schema.
    let name: String
    /// The SQL script.
    let script: String
    /// What SQL cannot do; runs after the script in the same transaction.
    var upgrade: (@Sendable (Connection) throws -> Void)?
}
