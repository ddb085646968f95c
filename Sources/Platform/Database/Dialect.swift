/// What differs in the SQL of the two databases.
public enum Dialect: Sendable {
    /// SQLite's.
    case sqlite
    /// PostgreSQL's.
    case postgreSQL

    /// Translates a script that defines tables from SQLite's dialect into this one.
    ///
    /// In PostgreSQL every number has 64 bits, the table generates a primary key that is a number, and texts are
    /// ordered by their bytes, as in SQLite.
    public func schema(_ script: String) -> String {
        switch self {
        case .sqlite: script
        case .postgreSQL: SchemaText(script).forPostgreSQL
        }
    }

    /// An empty blob, written so that a query can use an index whose condition contains it.
    public var noBytes: String {
        switch self {
        case .sqlite: "x''"
        case .postgreSQL: "''::BYTEA"
        }
    }

    /// Returns the clause that follows a table's name and names the index to use. SQLite has no statistics of a new
    /// table, and would choose another; PostgreSQL collects them itself, and has no such clause.
    public func using(index: StaticString) -> String {
        switch self {
        case .sqlite: "INDEXED BY \(index)"
        case .postgreSQL: ""
        }
    }
}
