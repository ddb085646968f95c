import CSQLite
@_exported public import SQL

/// One connection to a database file, with a cache of prepared statements.
///
/// A connection is opened without SQLite's own locks and is not `Sendable`: it is used on one thread only.
///
/// ```swift
/// let connection = try SQLiteConnection(path: "grades.db", access: .create)
/// try connection.run("INSERT INTO marks (subject, mark) VALUES (?, ?)", .text("Algebra"), .integer(14))
/// let marks = try connection.all("SELECT mark FROM marks") { $0.integer(0) }
/// ```
public final class SQLiteConnection {
    /// How a file is opened.
    public enum Access: Sendable {
        /// Reading only; the file must exist.
        case read
        /// Reading and writing; the file must exist.
        case write
        /// Reading and writing; a missing file is created.
        case create

        var flags: Int32 {
            switch self {
            case .read: SQLITE_OPEN_READONLY
            case .write: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        }
    }

    /// How many statements are kept prepared. A program has few texts, so this only guards against texts built at run
    /// time.
    private static let cacheLimit = 256

    /// Whether SQLite's options for the whole process are set, once, before the first connection. If another part of
    /// the process has used SQLite before, they cannot be set, and everything works without them.
    private static let isSetUp = csqlite_count_no_memory() == SQLITE_OK

    let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// How many of the statements run may have changed the file. A failed statement has changed nothing.
    public private(set) var writes = 0

    /// Opens a database file.
    ///
    /// - Parameter busyTimeout: how long to wait for another connection's lock, in milliseconds.
    public init(path: String, access: Access, busyTimeout: Int32 = 5_000) throws(SQLiteError) {
        _ = Self.isSetUp
        var opened: OpaquePointer?
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &opened, flags, nil)
        do throws(SQLiteError) {
            try SQLiteError.check(result, on: opened)
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
        guard let opened else { throw SQLiteError(extendedCode: SQLITE_NOMEM, message: "out of memory") }
        handle = opened
        sqlite3_busy_timeout(opened, busyTimeout)
        // No double-quoted strings, so that a misspelt column is an error, not a text.
        csqlite_switch(opened, SQLITE_DBCONFIG_DQS_DML, 0)
        csqlite_switch(opened, SQLITE_DBCONFIG_DQS_DDL, 0)
        // Closing never runs a checkpoint; the owner of the writing connection decides when to run one.
        csqlite_switch(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    deinit {
        // Statements still alive keep the handle as a zombie until they are finalised.
        sqlite3_close_v2(handle)
    }

    /// Runs every statement of a script and discards the rows.
    public func execute(_ script: String) throws(SQLiteError) {
        writes += 1
        try SQLiteError.check(sqlite3_exec(handle, script, nil, nil, nil), on: handle)
    }

    /// Runs one statement to its end and discards the rows.
    public func run(_ sql: String, _ values: SQLValue...) throws(SQLiteError) { try run(sql, values) }

    /// Runs one statement, with its values in an array, to its end and discards the rows.
    public func run(_ sql: String, _ values: [SQLValue]) throws(SQLiteError) { try run(sql, values.span) }

    /// Runs one statement to its end and discards the rows. For statements that run often: the values need no
    /// allocation.
    public func run<let count: Int>(
        _ sql: String, binding values: InlineArray<count, SQLValue>
    ) throws(SQLiteError) {
        try run(sql, values.span)
    }

    /// Runs one statement, with its values in a span, to its end and discards the rows.
    package func run(_ sql: String, _ values: Span<SQLValue>) throws(SQLiteError) {
        let statement = try take(sql)
        defer { statement.rewind() }
        try statement.bind(values)
        while try statement.step() {}
        if statement.writes { writes += 1 }
    }

    /// Returns the first row, or `nil` if there is none.
    public func first<Value>(
        _ sql: String, _ values: SQLValue..., read: (borrowing SQLiteRow) throws -> Value
    ) throws -> Value? {
        try first(sql, values.span, read: read)
    }

    /// Returns the first row of a statement with its values in a span, or `nil` if there is none.
    package func first<Value>(
        _ sql: String, _ values: Span<SQLValue>, read: (borrowing SQLiteRow) throws -> Value
    ) throws -> Value? {
        let statement = try take(sql)
        defer { statement.rewind() }
        try statement.bind(values)
        let isThere = try statement.step()
        if statement.writes { writes += 1 }
        return isThere ? try read(SQLiteRow(statement.handle)) : nil
    }

    /// Returns all rows, in order.
    public func all<Value>(
        _ sql: String, _ values: SQLValue..., read: (borrowing SQLiteRow) throws -> Value
    ) throws -> [Value] {
        try all(sql, values, read: read)
    }

    /// Returns all rows, in order, of a statement whose number of values is only known at run time.
    public func all<Value>(
        _ sql: String, _ values: [SQLValue], read: (borrowing SQLiteRow) throws -> Value
    ) throws -> [Value] {
        let statement = try take(sql)
        defer { statement.rewind() }
        try statement.bind(values.span)
        var found: [Value] = []
        while try statement.step() {
            if statement.writes { writes += 1 }
            found.append(try read(SQLiteRow(statement.handle)))
        }
        return found
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    public var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The `rowid` of the last row inserted.
    public var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Whether a transaction is open. Some errors end one without a rollback.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Returns the faults of the file, in SQLite's words; empty if it is sound. Reads the whole file.
    public func integrityFaults() throws -> [String] {
        let report = try all("PRAGMA integrity_check") { $0.text(0) }
        return report == ["ok"] ? [] : report
    }

    /// Returns a prepared statement, which is kept for the next time; a nested run of the same text gets its own.
    private func take(_ sql: String) throws(SQLiteError) -> Statement {
        let known = statements[sql]
        if let known, known.take() { return known }
        let statement = try Statement(sql, on: handle)
        if known == nil, statements.count < Self.cacheLimit { statements[sql] = statement }
        _ = statement.take()
        return statement
    }
}
