import SQLite

/// One step of the schema's history: named, run once, never altered after a release.
struct Migration: Sendable {
    /// Its name for ever; the list of names is how a file's schema is known.
    let name: String
    /// The SQL.
    let script: String
    /// What SQL cannot do, after it and in the same transaction.
    var upgrade: (@Sendable (Connection) throws -> Void)?
}
