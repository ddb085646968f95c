public import PostgreSQL
@_exported public import SQL
public import SQLite

/// A connection to a database of either kind, with the operations that both drivers share.
///
/// The SQL text is written once, with `?` for parameters. Text that is not valid in both databases belongs in a
/// ``Dialect``. The ``driver`` gives access to what only one of them does. A connection is not `Sendable`: one thread
/// uses it at a time.
///
/// In a transaction PostgreSQL may queue statements that return nothing; a later call, at the latest the commit, then
/// throws their errors.
public final class Connection {
    /// The connection of a database's own driver.
    public enum Driver {
        /// A connection to a file.
        case sqlite(SQLiteConnection)
        /// A connection to a server.
        case postgreSQL(PostgreSQLConnection)
    }

    /// The connection that does the work.
    public let driver: Driver

    /// Creates a connection to a file from a connection of its driver.
    public init(_ connection: SQLiteConnection) { driver = .sqlite(connection) }

    /// Creates a connection to a server from a connection of its driver.
    public init(_ connection: PostgreSQLConnection) { driver = .postgreSQL(connection) }

    /// Opens an SQLite file.
    public convenience init(path: String, access: SQLiteConnection.Access) throws(SQLiteError) {
        self.init(try SQLiteConnection(path: path, access: access))
    }

    /// What differs in the SQL of this database.
    public var dialect: Dialect {
        switch driver {
        case .sqlite: .sqlite
        case .postgreSQL: .postgreSQL
        }
    }

    // MARK: - Statements

    /// Runs every statement of a script and discards the rows.
    public func execute(_ script: String) throws {
        switch driver {
        case .sqlite(let connection): try connection.execute(script)
        case .postgreSQL(let connection): try connection.execute(script)
        }
    }

    /// Runs one statement and discards the rows.
    public func run(_ sql: String, _ values: SQLValue...) throws { try run(sql, values.span) }

    /// Runs one statement, with its values in an array, and discards the rows.
    public func run(_ sql: String, _ values: [SQLValue]) throws { try run(sql, values.span) }

    /// Runs one statement and discards the rows. For statements that run often: the values need no allocation.
    public func run<let count: Int>(_ sql: String, binding values: InlineArray<count, SQLValue>) throws {
        try run(sql, values.span)
    }

    private func run(_ sql: String, _ values: Span<SQLValue>) throws {
        switch driver {
        case .sqlite(let connection): try connection.run(sql, values)
        case .postgreSQL(let connection): try connection.run(sql, values)
        }
    }

    /// The number that a file gave the last inserted row, whose number was NULL; a server has no such number.
    public var numberOfLastRow: Int {
        switch driver {
        case .sqlite(let connection): connection.lastInsertedRow
        case .postgreSQL: 0
        }
    }

    /// Inserts one row; returns the number that the database gave it in `column`, the table's primary key.
    public func insert(_ sql: String, numbering column: StaticString, _ values: SQLValue...) throws -> Int {
        try insert(sql, numbering: column, values.span)
    }

    /// Inserts one row; returns the number that the database gave it in `column`, the table's primary key. For
    /// statements that run often: the values need no allocation.
    public func insert<let count: Int>(
        _ sql: String, numbering column: StaticString, binding values: InlineArray<count, SQLValue>
    ) throws -> Int {
        try insert(sql, numbering: column, values.span)
    }

    private func insert(_ sql: String, numbering column: StaticString, _ values: Span<SQLValue>) throws -> Int {
        switch driver {
        case .sqlite(let connection):
            // RETURNING would collect the row in a temporary table first.
            try connection.run(sql, values)
            return connection.lastInsertedRow
        case .postgreSQL(let connection):
            return try connection.first("\(sql) RETURNING \(column)", values) { $0.integer(0) } ?? 0
        }
    }

    /// Returns the first row, or `nil` if there is none. A server sends all rows, so a statement that finds many needs
    /// LIMIT 1.
    public func first<Value>(
        _ sql: String, _ values: SQLValue..., read: (borrowing Row) throws -> Value
    ) throws -> Value? {
        switch driver {
        case .sqlite(let connection): try connection.first(sql, values.span) { row in try read(Row(row)) }
        case .postgreSQL(let connection): try connection.first(sql, values.span) { row in try read(Row(row)) }
        }
    }

    /// Returns all rows, in order.
    public func all<Value>(
        _ sql: String, _ values: SQLValue..., read: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try all(sql, values, read: read)
    }

    /// Returns all rows, in order, of a statement whose number of values is only known at run time.
    public func all<Value>(
        _ sql: String, _ values: [SQLValue], read: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        switch driver {
        case .sqlite(let connection): try connection.all(sql, values) { row in try read(Row(row)) }
        case .postgreSQL(let connection): try connection.all(sql, values) { row in try read(Row(row)) }
        }
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    public var changes: Int {
        get throws {
            switch driver {
            case .sqlite(let connection): connection.changes
            case .postgreSQL(let connection): try connection.changes
            }
        }
    }

    // MARK: - Transactions

    /// What a transaction is for.
    public enum Purpose: Sendable {
        /// Reading: everything is from the same moment.
        case reading
        /// Writing. SQLite lets one writer in at a time; with PostgreSQL each statement sees what others have committed
        /// before it, so rows that a decision depends on must be locked first.
        case writing
    }

    /// Runs `body` in a transaction. Commits when `body` returns, and rolls back if it or the commit throws.
    public func withTransaction<Value>(for purpose: Purpose, _ body: () throws -> Value) throws -> Value {
        switch (driver, purpose) {
        case (.sqlite(let connection), .reading): try connection.withTransaction(.deferred, body)
        case (.sqlite(let connection), .writing): try connection.withTransaction(.immediate, body)
        case (.postgreSQL(let connection), .reading): try connection.withTransaction(.snapshot, body)
        case (.postgreSQL(let connection), .writing): try connection.withTransaction(.readCommitted, body)
        }
    }

    /// Whether the connection can still be used. A connection to a server ends with the server.
    public var isUsable: Bool {
        switch driver {
        case .sqlite: true
        case .postgreSQL(let connection): connection.isUsable
        }
    }
}
