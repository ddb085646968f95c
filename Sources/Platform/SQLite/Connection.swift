import CSQLite

/// One connection to a database file, with a cache of prepared statements.
///
/// A connection is opened without SQLite's own locks and is not `Sendable`: its opener hands it to one thread, where it
/// stays.
///
/// ```swift
/// let connection = try Connection(path: "grades.db", access: .create)
/// try connection.run("INSERT INTO marks (subject, mark) VALUES (?, ?)", .text("Algebra"), .integer(14))
/// let marks = try connection.all("SELECT mark FROM marks") { $0.integer(0) }
/// ```
public final class Connection {
    /// How a file is opened.
    public enum Access: Sendable {
        /// Only to be read; it must exist.
        case read
        /// To be read and written; it must exist.
        case write
        /// To be read and written; made when missing.
        case create

        var flags: Int32 {
            switch self {
            case .read: SQLITE_OPEN_READONLY
            case .write: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        }
    }

    /// Statements kept prepared; the texts in a program are few, so this is a guard against texts built at run time.
    private static let cacheLimit = 256

    /// Whether SQLite as a whole is set up: once for the process, before the first connection. If another part of the
    /// process was first, everything still works.
    private static let isSetUp = csqlite_count_no_memory() == SQLITE_OK

    let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// How many statements that may have changed the file were carried out. One that failed has changed nothing.
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
        // No double-quoted strings: a misspelt column must be an error, not a text.
        csqlite_switch(opened, SQLITE_DBCONFIG_DQS_DML, 0)
        csqlite_switch(opened, SQLITE_DBCONFIG_DQS_DDL, 0)
        // Closing never checkpoints by surprise; the owner of the writing decides when.
        csqlite_switch(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    deinit {
        // Statements still alive keep the handle as a zombie until they are finalised.
        sqlite3_close_v2(handle)
    }

    /// Runs every statement of a script; rows are dropped.
    public func execute(_ script: String) throws(SQLiteError) {
        writes += 1
        try SQLiteError.check(sqlite3_exec(handle, script, nil, nil, nil), on: handle)
    }

    /// Runs one statement to its end; rows are dropped.
    public func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) { try run(sql, values) }

    /// Runs one statement whose values were put together elsewhere to its end; rows are dropped.
    public func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) { try run(sql, values.span) }

    /// Runs one statement that is carried out often to its end: its values take no memory of their own.
    public func run<let count: Int>(
        _ sql: String, binding values: InlineArray<count, SQLiteValue>
    ) throws(SQLiteError) {
        try run(sql, values.span)
    }

    private func run(_ sql: String, _ values: Span<SQLiteValue>) throws(SQLiteError) {
        let statement = try take(sql)
        defer { statement.rewind() }
        try statement.bind(values)
        while try statement.step() {}
        if statement.writes { writes += 1 }
    }

    /// The first row, or `nil` when there is none.
    public func first<Value>(
        _ sql: String, _ values: SQLiteValue..., read: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try take(sql)
        defer { statement.rewind() }
        try statement.bind(values.span)
        let isThere = try statement.step()
        if statement.writes { writes += 1 }
        return isThere ? try read(Row(statement.handle)) : nil
    }

    /// All rows, in order.
    public func all<Value>(
        _ sql: String, _ values: SQLiteValue..., read: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try all(sql, values, read: read)
    }

    /// All rows, in order, of a statement whose number of values is only known at run time.
    public func all<Value>(
        _ sql: String, _ values: [SQLiteValue], read: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        let statement = try take(sql)
        defer { statement.rewind() }
        try statement.bind(values.span)
        var found: [Value] = []
        while try statement.step() {
            if statement.writes { writes += 1 }
            found.append(try read(Row(statement.handle)))
        }
        return found
    }

    /// Rows inserted, updated or deleted by the last statement that did such a thing.
    public var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The `rowid` of the last row inserted.
    public var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Whether a transaction is open. Some errors end it by themselves.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// What is wrong with the file, as SQLite words it; empty when it is sound. Reads the whole file.
    public func integrityFaults() throws -> [String] {
        let report = try all("PRAGMA integrity_check") { $0.text(0) }
        return report == ["ok"] ? [] : report
    }

    /// A prepared statement, kept for the next time; a nested run of the same text gets its own.
    private func take(_ sql: String) throws(SQLiteError) -> Statement {
        let known = statements[sql]
        if let known, known.take() { return known }
        let statement = try Statement(sql, on: handle)
        if known == nil, statements.count < Self.cacheLimit { statements[sql] = statement }
        _ = statement.take()
        return statement
    }
}
