/// What differs in the SQL of the two databases.
public enum Dialect: Sendable {
    /// SQLite's.
    case sqlite
    /// PostgreSQL's.
    case postgreSQL

    /// Returns a script that defines tables, which is written for SQLite, in the words of this database.
    ///
    /// In PostgreSQL every number has 64 bits, a number that is a table's primary key is given by the table, and texts
    /// are ordered by their bytes, as in SQLite.
    public func schema(_ script: String) -> String {
        switch self {
        case .sqlite: script
        case .postgreSQL: SchemaText(script).forPostgreSQL
        }
    }

    /// A blob of no bytes, as a query names it so that it may use an index whose condition names it.
    public var noBytes: String {
        switch self {
        case .sqlite: "x''"
        case .postgreSQL: "''::BYTEA"
        }
    }

    /// Names the index that a query must use, after the table's name. SQLite has no statistics of a new table, and would
    /// choose another; PostgreSQL collects them by itself, and has no such words.
    public func using(index: StaticString) -> String {
        switch self {
        case .sqlite: "INDEXED BY \(index)"
        case .postgreSQL: ""
        }
    }
}
